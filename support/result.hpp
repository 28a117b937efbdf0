// Result<T>: a value or an Error. Every interface of hitmark that can fail for an expected reason (no
// counter, no permission, a bad file) returns one. The member names are those of std::expected.
#pragma once

#include <string>
#include <utility>
#include <variant>

#include "support/check.hpp"

namespace hitmark {

enum class ErrorKind {
  kUsage,        // what was typed is wrong: exit 2
  kUnavailable,  // the machine or the build lacks it
  kDenied,       // it is there, but we may not use it
  kInvalid,      // a file or another tool's output is not what it should be
  kNotFound,
  kIo,
  kUnsupported,
};

struct Error {
  ErrorKind kind;
  std::string message;  // what, where and why, one sentence, no trailing period
  std::string hint;     // what to type or change next; may be empty
};

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : content_(std::in_place_index<1>, std::move(error)) {}

  bool has_value() const { return content_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  T& value() & { return checked(); }
  T&& value() && { return std::move(checked()); }
  const T& value() const& { return const_cast<Result*>(this)->checked(); }
  T& operator*() & { return checked(); }
  T&& operator*() && { return std::move(checked()); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &checked(); }
  const T* operator->() const { return &value(); }

  const Error& error() const {
    HITMARK_CHECK(!has_value(), "error() of a Result that has a value");
    return std::get<1>(content_);
  }

 private:
  T& checked() {
    HITMARK_CHECK(has_value(), std::get<1>(content_).message.c_str());
    return std::get<0>(content_);
  }
  std::variant<T, Error> content_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)), failed_(true) {}

  bool has_value() const { return !failed_; }
  explicit operator bool() const { return !failed_; }
  const Error& error() const {
    HITMARK_CHECK(failed_, "error() of a Result that has no error");
    return error_;
  }

 private:
  Error error_{};
  bool failed_ = false;
};

}  // namespace hitmark
