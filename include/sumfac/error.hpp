// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Exceptions and the checks of arguments at public doors.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/config.hpp>

#if SUMFAC_HAS_HOST

#include <cstdarg>
#include <cstdio>
#include <stdexcept>
#include <string_view>
#include <type_traits>

// Exceptions are of one type in all targets: what one source throws, another catches.
namespace sumfac {

// The caller passed something that does not fit. The message reads
// `sumfac::where: problem (both numbers) what to do`. Nothing was computed or written.
struct argument_error : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

// The mesh cannot be integrated on: an element is inverted, flat or not finite.
struct geometry_error : std::domain_error {
  using std::domain_error::domain_error;
};

// A run-time system (CUDA, HIP, the allocator) failed.
struct backend_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace sumfac

namespace sumfac::SUMFAC_TARGET {

namespace detail {

// A text as printf formats it, of at most 1999 characters, to which more is added; it becomes any class of strings.
class formatted {
public:
  formatted() = default;
  [[gnu::format(printf, 2, 3)]] explicit formatted(char const* format, ...)
  {
    std::va_list arguments;
    va_start(arguments, format);
    add_listed(format, arguments);
    va_end(arguments);
  }

  [[gnu::format(printf, 2, 3)]] void add(char const* format, ...)
  {
    std::va_list arguments;
    va_start(arguments, format);
    add_listed(format, arguments);
    va_end(arguments);
  }
  [[gnu::format(printf, 2, 0)]] void add_listed(char const* format, std::va_list arguments)
  {
    int const rest = static_cast<int>(sizeof text_) - length_;
    int const added = std::vsnprintf(text_ + length_, static_cast<std::size_t>(rest), format, arguments);
    length_ += added < rest ? added : rest - 1;
  }

  int length() const { return length_; }
  char const* c_str() const { return text_; }
  template <class String>
    requires(std::is_class_v<String> && std::is_constructible_v<String, char const*>)
  operator String() const
  {
    return String(text_);
  }

private:
  int length_ = 0;
  char text_[2000] = "";
};

// Throws an Error with a text formatted as by printf.
template <class Error>
[[noreturn, gnu::cold, gnu::noinline, gnu::format(printf, 1, 2)]] void throw_text(char const* format, ...)
{
  formatted text;
  std::va_list arguments;
  va_start(arguments, format);
  text.add_listed(format, arguments);
  va_end(arguments);
  throw Error(text.c_str());
}

// The first problem that is found among several, to be thrown once all have been looked for, or by all processes.
class first_problem {
public:
  [[gnu::format(printf, 2, 3)]] void say(char const* format, ...)
  {
    if (found()) return;
    std::va_list arguments;
    va_start(arguments, format);
    text_.add_listed(format, arguments);
    va_end(arguments);
  }
  bool found() const { return text_.length() > 0; }
  operator char const*() const { return text_.c_str(); }

private:
  formatted text_;
};

}  // namespace detail

// Throws argument_error with the text `sumfac::where: what`.
[[noreturn, gnu::cold, gnu::noinline]] inline void fail(std::string_view where, std::string_view what)
{
  detail::throw_text<argument_error>("sumfac::%.*s: %.*s", static_cast<int>(where.size()), where.data(),
                                     static_cast<int>(what.size()), what.data());
}

// The same with a text formatted as by printf. Checks at hot or often instantiated doors call it: it leaves no string
// in the caller's code.
[[noreturn, gnu::cold, gnu::noinline, gnu::format(printf, 2, 3)]] inline void failf(char const* where,
                                                                                    char const* format, ...)
{
  detail::formatted text;
  std::va_list arguments;
  va_start(arguments, format);
  text.add_listed(format, arguments);
  va_end(arguments);
  fail(where, text);
}

// Throws unless `got == expected`; `what` names the extent, as in "extent 0 (elements) of u".
inline void check_equal(char const* where, char const* what, index_t expected, index_t got)
{
  if (got != expected)
    failf(where, "%s does not match (expected %lld, got %lld)", what, static_cast<long long>(expected),
          static_cast<long long>(got));
}

// Throws if data is null while there is something to read or write.
inline void check_data(char const* where, char const* what, void const* data, index_t size)
{
  if (size > 0 && data == nullptr)
    failf(where, "%s is null (pointer 0, %lld entries expected): pass a view of allocated memory", what,
          static_cast<long long>(size));
}

}  // namespace sumfac

#else

namespace sumfac::SUMFAC_TARGET {

// For forms that check their members, which a kernel does not.
template <class... Arguments>
void failf(char const*, char const*, Arguments const&...)
{
  SUMFAC_TRAP();
}

}  // namespace sumfac

#endif
