// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The policies `affine` and `trilinear`: a few numbers an element, from which kernels make the geometry of points.
#pragma once

#include <sumfac/element/geometry/map_reader.hpp>
#include <sumfac/element/geometry/number_range.hpp>
#include <sumfac/element/geometry/setup_numbers.hpp>
#include <sumfac/element/work.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/mesh/maps/element_shapes.hpp>

#include <cstring>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// The maps of affine and trilinear elements, as Policy and the need of the form have them.
template <class Policy, class Problem, class Backend, int Elements = 1>
class element_maps
    : public element_numbers<Problem, Backend,
                             element_lines<Policy, need_of<typename Problem::form>>::template map<double>::count,
                             Elements> {
  using form = typename Problem::form;
  using points = typename Problem::points;
  using number = typename Problem::number;

public:
  using lines = element_lines<Policy, need_of<form>>;
  using element_maps::element_numbers::count, element_maps::element_numbers::packed;

  using reader = map_reader<Policy, Problem, element_maps::element_numbers::width, packed ? 1 : Elements>;

  // Takes all elements of a mesh, which must be near what Policy puts in their place.
  template <class Mesh, class Place>
  void set_up(Mesh const& mesh, form const& f, Place const&)
  {
    check_points<Problem, Policy>(mesh, f);
    this->resize(mesh.threads, mesh.elements());
    set_shapes<Policy>(mesh.threads, mesh.shapes(), *this);
    if constexpr (!Problem::is_tensor) {
      places_.resize(mesh.threads, 4 * points::size);
      for (std::size_t q = 0; q < std::size_t{points::size}; ++q) {
        for (std::size_t d = 0; d < 3; ++d)
          places_[static_cast<index_t>(4 * q + d)] = static_cast<number>(points::points[q][d]);
        places_[static_cast<index_t>(4 * q + 3)] = static_cast<number>(points::weights[q]);
      }
    }
  }

  void commit(Backend const& backend)
  {
    element_maps::element_numbers::commit(backend);
    if constexpr (!Problem::is_tensor) places_.commit(backend);
  }

  // Where kernels read the places of points.
  typename reader::places_type places() const
  {
    if constexpr (Problem::is_tensor)
      return {};
    else
      return {places_.data()};
  }

  void set(index_t e, index_t elements, trilinear_map<double> const& x)
  {
    auto const map = lines::template map<double>::of(x);
    double numbers[count];
    std::memcpy(numbers, &map, sizeof map);
    this->set_numbers(e, elements, numbers);
  }

  // read(backend)(e, z, y, x, f): calls f with point (z, y, x) of element e, in double; the host can read it.
  auto read(Backend const& backend) const
  {
    return [number = this->read_numbers(backend)](index_t e, int z, int y, int x, auto const& f) {
      double numbers[count];
      for (int k = 0; k < count; ++k) numbers[k] = number(e, k);
      typename lines::template map<double> map_of_e;
      std::memcpy(&map_of_e, numbers, sizeof map_of_e);
      if constexpr (!Problem::is_tensor) {
        double at[4] = {0, 0, 0, static_cast<double>(points::weights[static_cast<std::size_t>(x)])};
        for (std::size_t d = 0; d < 3; ++d) at[d] = static_cast<double>(points::points[static_cast<std::size_t>(x)][d]);
        return f(typename points_of_cell<double, decltype(map_of_e), int>::point{map_of_e, at});
      } else {
        static constexpr point_places<double, points> places{};
        auto const line = lines::template line<0, double>(map_of_e, places.nodes[y], places.nodes[z],
                                                          places.weights[y] * places.weights[z]);
        f(line.at(places.nodes[x], places.weights[x]));
      }
    };
  }

  index_t geometry_flops(form const& f, index_t elements) const
  {
    constexpr index_t g = Problem::points_1d, lines_of_element = Problem::is_tensor ? g * g : 1;
    return elements * detail::geometry_flops<lines, std::is_same_v<Policy, affine>>(f, g, lines_of_element);
  }

private:
  setup_numbers<number, Backend> places_;  // of points that are no products of lines
};

}  // namespace sumfac::detail
