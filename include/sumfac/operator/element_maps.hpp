// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The maps of elements that kernels recompute geometry from, in the order in which a backend's kernels read them.
#pragma once

#include <sumfac/backend/host.hpp>
#include <sumfac/config.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/form/element_lines.hpp>
#include <sumfac/geometry/element_shapes.hpp>
#include <sumfac/geometry/point_places.hpp>
#include <sumfac/math/pack.hpp>
#include <sumfac/operator/map_readers.hpp>
#include <sumfac/operator/setup_numbers.hpp>

#include <cstring>
#include <type_traits>

namespace sumfac {

// One map of Policy and a form's need for each element, of numbers Number; a team works on Elements elements, or on the
// host on a pack of them, and computes in Scalar.
//
// **Shapes** host (E / W, count, W), else (groups, Elements, count); places behind the last element repeat it.
template <class Backend, class Policy, class Form, class Points, class Scalar, class Number, int Elements = 1>
class element_maps {
public:
  static constexpr bool packed = std::is_same_v<Backend, host>;
  static constexpr int width = packed ? native_width<Scalar> : 1, lanes = packed ? width : Elements;
  using lines = element_lines<Policy, need_of<Form>>;
  static constexpr int count = lines::template map<double>::count;

  template <int>
  using reader = map_reader<Policy, Form, Points, Scalar, Number, width, packed ? 1 : Elements>;

  element_maps() = default;
  element_maps(host const& setup_threads, index_t elements)
      : numbers_(setup_threads, groups(elements) * lanes * count)
  {
  }

  static constexpr index_t numbers_per_element(index_t) { return count; }
  static index_t groups(index_t elements) { return (elements + lanes - 1) / lanes; }

  // Takes the map of element e; that of the last one fills its group.
  void set(index_t e, index_t elements, trilinear_map<double> const& x)
  {
    auto const from = lines::template map<double>::of(x);
    double numbers[count];
    std::memcpy(numbers, &from, sizeof from);
    index_t const end = e + 1 < elements ? e + 1 : groups(elements) * lanes;
    for (index_t i = e; i < end; ++i)
      for (int k = 0; k < count; ++k) numbers_[place(i, k)] = static_cast<Number>(numbers[k]);
  }

  // Ends the setup: the maps go to where kernels of the backend read them.
  void commit(Backend const& backend) { numbers_.commit(backend); }

  // As if `element`, the first of a group, were element 0.
  Number const* data_at(index_t element) const { return numbers_.data() + place(element, 0); }

  // read(backend)(e, z, y, x, f): calls f with point (z, y, x) of element e, in double; the host can read it.
  auto read(Backend const& backend) const
  {
    return [stored = numbers_.read(backend)](index_t e, int z, int y, int x, auto const& f) {
      static constexpr point_places<double, Points> places{};
      double numbers[count];
      for (int k = 0; k < count; ++k) numbers[k] = static_cast<double>(stored[place(e, k)]);
      typename lines::template map<double> map_of_e;
      std::memcpy(&map_of_e, numbers, sizeof map_of_e);
      auto const line = lines::template line<0, double>(map_of_e, places.nodes[y], places.nodes[z],
                                                        places.weights[y] * places.weights[z]);
      f(line.at(places.nodes[x], places.weights[x]));
    };
  }

private:
  static index_t place(index_t e, int k) { return (e / width * count + k) * width + e % width; }

  detail::setup_numbers<Number, Backend> numbers_;
};

}  // namespace sumfac
