#include "support/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <algorithm>
#include <cstring>
#include <utility>

namespace hitmark {
namespace {

Error failed(const std::string& what, const std::string& path) {
  const int code = errno;
  const ErrorKind kind = code == ENOENT ? ErrorKind::kNotFound
                         : code == EACCES || code == EPERM ? ErrorKind::kDenied
                                                           : ErrorKind::kIo;
  return {kind, what + " " + path + ": " + std::strerror(code), ""};
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

}  // namespace

Result<std::string> read_file(const std::string& path, std::size_t limit) {
  // O_NONBLOCK: opening a FIFO must not wait for a writer.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) return failed("cannot open", path);
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) return failed("cannot examine", path);
  if (S_ISDIR(info.st_mode)) return Error{ErrorKind::kInvalid, path + " is a directory, not a file", ""};
  if (!S_ISREG(info.st_mode)) return Error{ErrorKind::kInvalid, path + " is not a regular file", ""};
  if (static_cast<std::size_t>(info.st_size) > limit)
    return Error{ErrorKind::kInvalid,
                 path + " has " + std::to_string(info.st_size) + " bytes, more than the " + std::to_string(limit) +
                     " that hitmark reads",
                 ""};
  std::string content;
  char buffer[65536];
  for (;;) {
    const ssize_t got = ::read(file.get(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return failed("cannot read", path);
    if (got == 0) return content;
    content.append(buffer, static_cast<std::size_t>(got));  // sysfs files report a size of 0 or 4096
    if (content.size() > limit) return Error{ErrorKind::kInvalid, path + " grew while it was read", ""};
  }
}

Result<std::string> read_line(const std::string& path) {
  auto content = read_file(path, 1 << 20);
  if (!content) return content;
  content->resize(std::min(content->find('\n'), content->size()));
  return content;
}

Result<void> write_file(const std::string& path, std::string_view content) {
  const std::string temporary = path + ".tmp" + std::to_string(::getpid());
  Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (file.get() < 0) return failed("cannot create", temporary);
  while (!content.empty()) {
    const ssize_t put = ::write(file.get(), content.data(), content.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) {
      const Error error = failed("cannot write", temporary);
      ::unlink(temporary.c_str());
      return error;
    }
    content.remove_prefix(static_cast<std::size_t>(put));
  }
  if (::close(file.release()) != 0 || ::rename(temporary.c_str(), path.c_str()) != 0) {
    const Error error = failed("cannot write", path);
    ::unlink(temporary.c_str());
    return error;
  }
  return {};
}

}  // namespace hitmark
