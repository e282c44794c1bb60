// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The maps of elements that kernels recompute geometry from, in the order in which a backend's kernels read them.
#pragma once

#include <sumfac/backend/host.hpp>
#include <sumfac/config.hpp>
#include <sumfac/form/detail/element_lines.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/geometry/maps/element_shapes.hpp>
#include <sumfac/geometry/maps/point_places.hpp>
#include <sumfac/math/pack.hpp>
#include <sumfac/operator/geometry/map_readers.hpp>
#include <sumfac/operator/geometry/number_range.hpp>
#include <sumfac/operator/geometry/setup_numbers.hpp>
#include <sumfac/operator/work.hpp>

#include <cstring>
#include <type_traits>

namespace sumfac::inline SUMFAC_TARGET::detail {

// `Count` numbers for each element; a team works on Elements elements, or on the host on a pack of them, and
//
// **Shapes** host (E / W, Count, W), else (groups, Elements, Count); places behind the last element repeat it.
template <class Problem, class Backend, int Count, int Elements>
class element_numbers {
  using number = typename Problem::factor_number;

public:
  static constexpr bool packed = std::is_same_v<Backend, host>;
  static constexpr int width = packed ? native_width<typename Problem::number> : 1, lanes = packed ? width : Elements;
  static constexpr int count = Count;

  element_numbers() = default;
  element_numbers(host const& setup_threads, index_t elements)
      : numbers_(setup_threads, groups(elements) * lanes * count)
  {
  }

  index_t numbers(index_t elements) const { return elements * count; }
  static index_t groups(index_t elements) { return (elements + lanes - 1) / lanes; }

  // Takes the numbers of element e; those of the last one fill its group.
  void set_numbers(index_t e, index_t elements, double const* numbers)
  {
    index_t const end = e + 1 < elements ? e + 1 : groups(elements) * lanes;
    for (index_t i = e; i < end; ++i)
      for (int k = 0; k < count; ++k) numbers_[place(i, k)] = static_cast<number>(numbers[k]);
  }

  // Ends the setup: the numbers go to where kernels of the backend read them.
  void commit(Backend const& backend) { numbers_.commit(backend); }

  // As if `element`, the first of a group, were element 0.
  number const* data_at(index_t element) const { return numbers_.data() + place(element, 0); }

  // read_numbers(backend)(e, k): number k of element e, from memory that the host can read.
  auto read_numbers(Backend const& backend) const
  {
    return [stored = numbers_.read(backend)](index_t e, int k) { return static_cast<double>(stored[place(e, k)]); };
  }

private:
  static index_t place(index_t e, int k) { return (e / width * count + k) * width + e % width; }

  setup_numbers<number, Backend> numbers_;
};

// The maps of affine and trilinear elements, as Policy and the need of the form have them.
template <class Policy, class Problem, class Backend, int Elements = 1>
class element_maps
    : public element_numbers<Problem, Backend,
                             element_lines<Policy, need_of<typename Problem::form>>::template map<double>::count,
                             Elements> {
  using form = typename Problem::form;

public:
  using lines = element_lines<Policy, need_of<form>>;
  using element_maps::element_numbers::element_numbers;
  using element_maps::element_numbers::count, element_maps::element_numbers::packed;

  using reader = map_reader<Policy, Problem, element_maps::element_numbers::width, packed ? 1 : Elements>;

  // Takes all elements of a mesh, which must be near what Policy puts in their place.
  template <class Mesh, class Place>
  void set_up(Mesh const& mesh, form const& f, Place const&)
  {
    check_points<Problem, Policy>(mesh, f);
    *this = element_maps(mesh.threads, mesh.elements());
    set_shapes<Policy>(mesh.threads, mesh.shapes(), *this);
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
      static constexpr point_places<double, typename Problem::points> places{};
      double numbers[count];
      for (int k = 0; k < count; ++k) numbers[k] = number(e, k);
      typename lines::template map<double> map_of_e;
      std::memcpy(&map_of_e, numbers, sizeof map_of_e);
      auto const line = lines::template line<0, double>(map_of_e, places.nodes[y], places.nodes[z],
                                                        places.weights[y] * places.weights[z]);
      f(line.at(places.nodes[x], places.weights[x]));
    };
  }

  index_t geometry_flops(form const& f, index_t elements) const
  {
    return elements * detail::geometry_flops<lines>(f, Problem::quads_1d);
  }
};

}  // namespace sumfac::detail
