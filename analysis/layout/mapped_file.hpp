// A regular file as bytes, without reading what nobody looks at: a vmlinux with DWARF has a gigabyte.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "support/result.hpp"

namespace hitmark {

class MappedFile {
 public:
  // A directory, a FIFO, a missing, an unreadable or an empty file is an Error that says so.
  static Result<MappedFile> open(const std::string& path);

  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&&) = delete;
  ~MappedFile();

  std::string_view bytes() const { return {data_, size_}; }
  // The mapping is private, so a library that insists on writing changes nothing in the file.
  char* data() { return data_; }

 private:
  MappedFile(char* data, std::size_t size) : data_(data), size_(size) {}
  char* data_;
  std::size_t size_;
};

}  // namespace hitmark
