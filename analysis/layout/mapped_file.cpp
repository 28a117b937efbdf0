#include "analysis/layout/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace hitmark {
namespace {

Error failed(const std::string& what, const std::string& path) {
  const ErrorKind kind = errno == ENOENT ? ErrorKind::kNotFound : errno == EACCES ? ErrorKind::kDenied : ErrorKind::kIo;
  return {kind, what + " " + path + ": " + std::strerror(errno), ""};
}

// Kernels before 6.16 cannot map /sys/kernel/btf/vmlinux: fill anonymous memory instead.
bool read_into(int fd, char* data, std::size_t size) {
  for (std::size_t done = 0; done < size;) {
    const ssize_t got = ::pread(fd, data + done, size - done, static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got == 0) errno = EIO;
    if (got <= 0) return false;
    done += static_cast<std::size_t>(got);
  }
  return true;
}

Result<char*> map(int fd, std::size_t size, const std::string& path) {
  void* memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
  // sysfs offers read-only mappings, and only if they are asked for as such.
  if (memory == MAP_FAILED) memory = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (memory != MAP_FAILED) return static_cast<char*>(memory);
  memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return failed("no memory for", path);
  if (read_into(fd, static_cast<char*>(memory), size)) return static_cast<char*>(memory);
  const Error error = failed("cannot read", path);
  ::munmap(memory, size);
  return error;
}

}  // namespace

Result<MappedFile> MappedFile::open(const std::string& path) {
  // O_NONBLOCK: opening a FIFO must not wait for a writer.
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return failed("cannot open", path);
  struct stat info {};
  Result<char*> mapped = Error{ErrorKind::kInvalid, path + " is empty", ""};
  if (::fstat(fd, &info) != 0)
    mapped = failed("cannot examine", path);
  else if (!S_ISREG(info.st_mode))
    mapped = Error{ErrorKind::kInvalid, path + (S_ISDIR(info.st_mode) ? " is a directory" : " is not a file"), ""};
  else if (info.st_size > 0)
    mapped = map(fd, static_cast<std::size_t>(info.st_size), path);
  ::close(fd);
  if (!mapped) return mapped.error();
  return MappedFile(*mapped, static_cast<std::size_t>(info.st_size));
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(data_, size_);
}

}  // namespace hitmark
