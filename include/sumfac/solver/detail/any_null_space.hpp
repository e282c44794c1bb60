// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A null space of any numbers on any backend, as solvers' options refer to it.
#pragma once

#include <sumfac/backend/detail/memory.hpp>

#include <cstddef>
#include <limits>

namespace sumfac::SUMFAC_TARGET {

template <class Scalar = double, class Backend = host>
class null_space;

namespace detail {

template <class Space>
inline constexpr char type_mark = 0;

// None, or a null_space, which must live as long. Its project() is called by address: solvers that are never given one
// compile no kernel of it.
class any_null_space {
public:
  any_null_space() = default;
  template <class Scalar, class Backend>
  any_null_space(null_space<Scalar, Backend> const& space)
      : space_(&space),
        type_(&type_mark<null_space<Scalar, Backend>>),
        size_(space.size()),
        count_(space.count()),
        has_constants_(space.has_constants()),
        project_(&project_typed<Scalar, Backend>),
        read_(&read_typed<Scalar, Backend>)
  {
  }
  // A temporary would have ended before the solve.
  template <class Scalar, class Backend>
  any_null_space(null_space<Scalar, Backend> const&&) = delete;

  explicit operator bool() const { return space_ != nullptr; }

  // What project() leaves of a vector in the space, over its size: roundings of entries, and of sums, in double.
  template <class Scalar>
  static constexpr double left =
      4 * static_cast<double>(std::numeric_limits<Scalar>::epsilon()) + 64 * std::numeric_limits<double>::epsilon();

  index_t size() const { return size_; }
  int count() const { return count_; }
  bool has_constants() const { return has_constants_; }

  // Vector i of its basis in double, in the host's memory.
  own_vector<double> vector(int i) const { return read_(space_, i); }

  // The space, where it is one of these numbers on this backend; null else.
  template <class Scalar, class Backend>
  null_space<Scalar, Backend> const* of() const
  {
    using space = null_space<Scalar, Backend>;
    return type_ == &type_mark<space> ? static_cast<space const*>(space_) : nullptr;
  }

  // Throws where there is one that is not of such vectors.
  template <class Scalar, class Backend>
  void check_fits(char const* where, index_t size) const
  {
    if (space_ == nullptr) return;
    if (of<Scalar, Backend>() == nullptr)
      fail(where,
           "options.null_space is of other numbers, or on another backend, than x: make it of the matrix, "
           "sumfac::null_space{A}");
    check_equal(where, "length of options.null_space", size, size_);
  }

  // x without its part in the space, for vectors that check_fits() has found to fit; x as it is where there is none.
  template <class Scalar>
  void project(Scalar* x) const
  {
    if (space_ != nullptr) project_(space_, x);
  }

private:
  template <class Scalar, class Backend>
  static void project_typed(void const* space, void* x)
  {
    static_cast<null_space<Scalar, Backend> const*>(space)->project_entries(static_cast<Scalar*>(x));
  }

  template <class Scalar, class Backend>
  static own_vector<double> read_typed(void const* space, int i)
  {
    auto const& typed = *static_cast<null_space<Scalar, Backend> const*>(space);
    auto const entries = download<Scalar>(typed.backend(), typed[i].data(), typed.size());
    own_vector<double> numbers(entries.size());
    for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = static_cast<double>(entries[k]);
    return numbers;
  }

  void const* space_ = nullptr;
  char const* type_ = nullptr;
  index_t size_ = 0;
  int count_ = 0;
  bool has_constants_ = false;
  void (*project_)(void const* space, void* x) = nullptr;
  own_vector<double> (*read_)(void const* space, int i) = nullptr;
};

}  // namespace detail

}  // namespace sumfac
