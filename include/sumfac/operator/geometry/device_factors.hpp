// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The form's factors at every point of every element, in the order in which a device's teams read them.
#pragma once

#include <sumfac/backend/host.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/operator/geometry/factor_readers.hpp>
#include <sumfac/operator/geometry/setup_numbers.hpp>

namespace sumfac::inline SUMFAC_TARGET {

// Factors of a form with F numbers a point, set up in the host's memory and copied to the device's.
//
// **Shapes** (groups, F, G, Elements, G^2): layer by layer of an element's points, a team's elements side by side.
template <class Backend, class Form, class Number, int Points1d, int Elements>
class device_factors {
public:
  template <int>
  using reader = team_factor_reader<Form, Points1d, Number, Elements>;

  static constexpr int factors_per_point = factors_of<Form>, count = factors_per_point;
  static constexpr int lanes = Elements;

  device_factors() = default;
  device_factors(host const& setup_threads, index_t elements, int)
      : numbers_(setup_threads, groups(elements) * group_size)
  {
  }

  index_t numbers(index_t elements) const { return elements * count * Points1d * Points1d * Points1d; }
  static index_t groups(index_t elements) { return (elements + Elements - 1) / Elements; }

  // Takes the factors of elements e .. e + width_of<T> - 1 (those that exist) at one point.
  template <class T>
  void set(index_t e, index_t elements, int point, typename Form::template factors<T> const& f)
  {
    detail::for_each_number<T>(f, [&](int i, int lane, double x) {
      if (e + lane < elements) numbers_[place(e + lane, point, i)] = static_cast<Number>(x);
    });
  }

  // Ends the setup: the factors go to where kernels of the backend read them.
  void commit(Backend const& backend) { numbers_.commit(backend); }

  // As if `element`, the first of a group, were element 0.
  Number const* data_at(index_t element) const { return numbers_.data() + element / Elements * group_size; }

  // read(backend)(e, point, i): factor i of element e at a point, from memory that the host can read.
  auto read(Backend const& backend) const
  {
    return [numbers = numbers_.read(backend)](index_t e, int point, int i) {
      return static_cast<double>(numbers[place(e, point, i)]);
    };
  }

private:
  static constexpr int layer = Elements * Points1d * Points1d;
  static constexpr index_t group_size = index_t{count} * Points1d * layer;

  static index_t place(index_t e, int point, int i)
  {
    int const lane = static_cast<int>(e % Elements), z = point / (Points1d * Points1d),
              rest = point % (Points1d * Points1d);
    return e / Elements * group_size + (i * Points1d + z) * layer + lane * (Points1d * Points1d) + rest;
  }

  detail::setup_numbers<Number, Backend> numbers_;
};

}  // namespace sumfac
