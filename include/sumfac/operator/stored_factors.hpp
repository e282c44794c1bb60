// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The form's factors at every point of every element, in the order in which a backend's kernel reads them.
#pragma once

#include <sumfac/backend/buffer.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/operator/factor_readers.hpp>

#include <cstring>
#include <type_traits>

namespace sumfac {

// Factors of a form with F numbers a point, `points` points an element, for a backend whose team has one element.
//
// **Shapes** (E, F, points): neighbouring threads read neighbouring points.
template <class Backend, class Form, class Scalar>
class stored_factors {
public:
  template <int G>
  using reader = direct_factor_reader<Form, G, Scalar>;

  static constexpr int count = factors_of<Form>, lanes = 1;

  stored_factors() = default;
  stored_factors(host const& setup_threads, index_t elements, int points)
      : points_(points), numbers_(setup_threads, elements * count * points)
  {
  }

  static constexpr index_t numbers_per_element(index_t g) { return count * g * g * g; }
  static index_t groups(index_t elements) { return elements; }
  index_t size() const { return numbers_.size(); }

  // Takes the factors of elements e .. e + width_of<T> - 1 (those that exist) at one point.
  template <class T>
  void set(index_t e, index_t elements, int point, typename Form::template factors<T> const& f)
  {
    detail::for_each_number<T>(f, [&](int i, int lane, double x) {
      if (e + lane < elements) numbers_[((e + lane) * count + i) * points_ + point] = static_cast<Scalar>(x);
    });
  }

  Scalar const* data() const { return numbers_.data(); }
  // The same, as if `element` were element 0.
  Scalar const* data_at(index_t element) const { return numbers_.data() + element * count * points_; }

  // read(backend)(e, point, i): factor i of element e at a point.
  auto read(Backend const&) const
  {
    return [this](index_t e, int point, int i) {
      return static_cast<double>(numbers_[(e * count + i) * points_ + point]);
    };
  }

private:
  int points_ = 0;
  buffer<Scalar> numbers_;
};

// On the host elements lie in the lanes of packs, and a point's factors side by side.
//
// **Shapes** (E / W, points, F, W); lanes behind the last element repeat it, so that they hold sane numbers.
template <class Form, class Scalar>
class stored_factors<host, Form, Scalar> {
public:
  template <int G>
  using reader = packed_factor_reader<Form, G, Scalar>;

  static constexpr int count = factors_of<Form>, width = native_width<Scalar>, lanes = width;
  using point_factors = typename Form::template factors<pack<Scalar, width>>;

  stored_factors() = default;
  stored_factors(host const& setup_threads, index_t elements, int points)
      : points_(points), packs_(setup_threads, groups(elements) * points)
  {
  }

  static constexpr index_t numbers_per_element(index_t g) { return count * g * g * g; }
  static index_t groups(index_t elements) { return (elements + width - 1) / width; }
  index_t size() const { return packs_.size() * count * width; }

  template <class T>
  void set(index_t e, index_t elements, int point, typename Form::template factors<T> const& f)
  {
    auto* const numbers = reinterpret_cast<Scalar*>(&packs_[e / width * points_ + point]);
    bool const last = e + width_of<T> >= elements;
    detail::for_each_number<T>(f, [&](int i, int lane, double x) {
      int const place = static_cast<int>(e % width) + lane;
      numbers[i * width + place] = static_cast<Scalar>(x);
      if (last && lane + 1 == width_of<T>)
        for (int l = place + 1; l < width; ++l) numbers[i * width + l] = static_cast<Scalar>(x);
    });
  }

  point_factors const* data() const { return packs_.data(); }
  point_factors const* data_at(index_t element) const { return packs_.data() + element / width * points_; }

  auto read(host const&) const
  {
    return [this](index_t e, int point, int i) {
      Scalar x;
      auto const* const numbers = reinterpret_cast<char const*>(&packs_[e / width * points_ + point]);
      std::memcpy(&x, numbers + static_cast<std::size_t>(i * width + e % width) * sizeof(Scalar), sizeof x);
      return static_cast<double>(x);
    };
  }

private:
  int points_ = 0;
  buffer<point_factors> packs_;
};

}  // namespace sumfac
