// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The form's factors at every point of every element, in the order in which a backend's kernel reads them.
#pragma once

#include <sumfac/backend/buffer.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/operator/geometry/factor_readers.hpp>

namespace sumfac::inline SUMFAC_TARGET {

// Factors of a form with F numbers a point, `points` points an element, for a backend whose team has one element. They
// are kept as Number, kernels compute in Scalar.
//
// **Shapes** (E, F, points): neighbouring threads read neighbouring points.
template <class Backend, class Form, class Scalar, class Number = Scalar>
class stored_factors {
public:
  template <int Points1d>
  using reader = direct_factor_reader<Form, Points1d, Number>;

  static constexpr int factors_per_point = factors_of<Form>, count = factors_per_point;
  static constexpr int lanes = 1;

  stored_factors() = default;
  stored_factors(host const& setup_threads, index_t elements, int points)
      : points_(points), numbers_(setup_threads, elements * count * points)
  {
  }

  index_t numbers(index_t elements) const { return elements * count * points_; }
  static index_t groups(index_t elements) { return elements; }

  // Takes the factors of elements e .. e + width_of<T> - 1 (those that exist) at one point.
  template <class T>
  void set(index_t e, index_t elements, int point, typename Form::template factors<T> const& f)
  {
    detail::for_each_number<T>(f, [&](int i, int lane, double x) {
      if (e + lane < elements) numbers_[((e + lane) * count + i) * points_ + point] = static_cast<Number>(x);
    });
  }

  // As if `element` were element 0.
  Number const* data_at(index_t element) const { return numbers_.data() + element * count * points_; }

  // read(backend)(e, point, i): factor i of element e at a point.
  auto read(Backend const&) const
  {
    return [this](index_t e, int point, int i) {
      return static_cast<double>(numbers_[(e * count + i) * points_ + point]);
    };
  }

private:
  int points_ = 0;
  buffer<Number> numbers_;
};

// On the host elements lie in the lanes of packs of Scalar, and a point's factors side by side.
//
// **Shapes** (E / W, points, F, W); lanes behind the last element repeat it, so that they hold sane numbers.
template <class Form, class Scalar, class Number>
class stored_factors<host, Form, Scalar, Number> {
public:
  template <int Points1d>
  using reader = packed_factor_reader<Form, Points1d, Scalar, Number>;

  static constexpr int factors_per_point = factors_of<Form>, count = factors_per_point;
  static constexpr int width = native_width<Scalar>, lanes = width;

  stored_factors() = default;
  stored_factors(host const& setup_threads, index_t elements, int points)
      : points_(points), numbers_(setup_threads, groups(elements) * points * count * width)
  {
  }

  index_t numbers(index_t elements) const { return elements * count * points_; }
  static index_t groups(index_t elements) { return (elements + width - 1) / width; }

  template <class T>
  void set(index_t e, index_t elements, int point, typename Form::template factors<T> const& f)
  {
    Number* const numbers = &numbers_[place(e - e % width, point, 0)];
    bool const last = e + width_of<T> >= elements;
    detail::for_each_number<T>(f, [&](int i, int lane, double x) {
      int const at = static_cast<int>(e % width) + lane;
      numbers[i * width + at] = static_cast<Number>(x);
      if (last && lane + 1 == width_of<T>)
        for (int l = at + 1; l < width; ++l) numbers[i * width + l] = static_cast<Number>(x);
    });
  }

  Number const* data_at(index_t element) const { return numbers_.data() + place(element, 0, 0); }

  auto read(host const&) const
  {
    return [this](index_t e, int point, int i) { return static_cast<double>(numbers_[place(e, point, i)]); };
  }

private:
  index_t place(index_t e, int point, int i) const
  {
    return ((e / width * points_ + point) * count + i) * width + e % width;
  }

  int points_ = 0;
  buffer<Number> numbers_;
};

}  // namespace sumfac
