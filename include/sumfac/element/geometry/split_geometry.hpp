// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The geometry of a mesh whose groups of elements are affine, trilinear or neither: maps for some, factors for others.
#pragma once

#include <sumfac/element/geometry/mapped_elements.hpp>
#include <sumfac/element/geometry/number_range.hpp>
#include <sumfac/element/geometry/setup_numbers.hpp>
#include <sumfac/element/geometry/split_reader.hpp>
#include <sumfac/mesh/classify.hpp>

#include <cstddef>
#include <cstring>
#include <vector>

namespace sumfac::SUMFAC_TARGET::detail {

// A group is what a team works on at once; it is as cheap as the dearest of its elements allows.
template <class Problem, class Backend, class Stored, class Affine, class Trilinear>
class split_geometry {
  using form = typename Problem::form;

public:
  static constexpr int lanes = Stored::lanes, count = Stored::count;

  using reader = split_reader<typename Affine::reader, typename Trilinear::reader, typename Stored::reader>;

  static index_t groups(index_t elements) { return Stored::groups(elements); }

  // Sorts the groups, and sets up what each needs; place_of_point(z, y, x) is the place of a point among an element's
  // factors.
  template <class Mesh, class Place>
  void set_up(Mesh const& mesh, form const& f, Place const& place_of_point)
  {
    host const& threads = mesh.threads;
    auto const shapes = mesh.shapes();
    index_t const elements = shapes.elements();
    auto const classes = classes_of_groups(threads, shapes);
    places_.resize(threads, groups(elements));
    classes_ = {};
    own_vector<group_place> places;
    geometry_classes taken;  // places, in elements
    for (index_t group = 0; group < groups(elements); ++group) {
      auto const c = classes[static_cast<std::size_t>(group)];
      places.push_back(group_place::of(c, taken[c] / lanes));
      places_[group] = places.back();
      taken[c] += lanes;
      classes_[c] += (group + 1) * lanes <= elements ? lanes : elements - group * lanes;
    }
    affine_.resize(threads, classes_.affine);
    trilinear_.resize(threads, classes_.trilinear);
    general_.resize(threads, classes_.general);

    auto const place_of = [&](index_t e) { return places[static_cast<std::size_t>(e / lanes)]; };
    auto const among_its_kind = [&](index_t e) { return place_of(e).place() * lanes + e % lanes; };
    threads.partition(elements, [&](index_t first, index_t last) {
      for (index_t e = first; e < last; ++e) {
        if (place_of(e).kind() == geometry_class::affine)
          affine_.set(among_its_kind(e), classes_.affine, shapes.shape(e).map);
        else if (place_of(e).kind() == geometry_class::trilinear)
          trilinear_.set(among_its_kind(e), classes_.trilinear, shapes.shape(e).map);
      }
    });
    using T = geometry_number;
    visit_factors<Problem, split>(mesh, f, [&](index_t e, int z, int y, int x, auto const& of_point) {
      double numbers[width_of<T>][count];
      for_each_number<T>(of_point, [&](int i, int lane, double number) { numbers[lane][i] = number; });
      for (int lane = 0; lane < width_of<T> && e + lane < elements; ++lane) {
        if (place_of(e + lane).kind() != geometry_class::general) continue;
        typename Problem::template factors_at_point<double> factors;
        std::memcpy(&factors, numbers[lane], sizeof factors);
        general_.template set<double>(among_its_kind(e + lane), classes_.general, place_of_point(z, y, x), factors);
      }
    });
  }

  void commit(Backend const& backend)
  {
    affine_.commit(backend);
    trilinear_.commit(backend);
    general_.commit(backend);
    places_.commit(backend);
  }

  // As if `element`, the first of a group, were element 0.
  reader readers_at(index_t element, index_t elements) const
  {
    group_place const* const places = places_.data() + element / lanes;
    element_range const range{element, elements - 1};
    return {placed(affine_, range, places), placed(trilinear_, range, places), {{general_.data_at(0)}, places}};
  }

  Affine const& affine() const { return affine_; }
  Trilinear const& trilinear() const { return trilinear_; }
  Stored const& general() const { return general_; }
  auto places(Backend const& backend) const { return places_.read(backend); }

  geometry_classes const& classes() const { return classes_; }

  index_t numbers(index_t) const
  {
    return affine_.numbers(classes_.affine) + trilinear_.numbers(classes_.trilinear) +
           general_.numbers(classes_.general);
  }
  index_t geometry_flops(form const& f, index_t) const
  {
    return affine_.geometry_flops(f, classes_.affine) + trilinear_.geometry_flops(f, classes_.trilinear);
  }

private:
  template <class Maps>
  static placed_reader<typename Maps::reader> placed(Maps const& maps, element_range const& range,
                                                     group_place const* places)
  {
    placed_reader<typename Maps::reader> reader{{maps.data_at(0)}, places};
    reader.elements = range;
    return reader;
  }

  std::vector<geometry_class> classes_of_groups(host const& threads, auto const& shapes) const
  {
    index_t const elements = shapes.elements();
    std::vector<geometry_class> classes(static_cast<std::size_t>(groups(elements)), geometry_class::affine);
    threads.partition(groups(elements), [&](index_t first, index_t last) {
      for (index_t e = first * lanes; e < last * lanes && e < elements; ++e) {
        auto& of_group = classes[static_cast<std::size_t>(e / lanes)];
        auto const c = class_of(shapes, shapes.shape(e));
        if (of_group < c) of_group = c;
      }
    });
    return classes;
  }

  Affine affine_;
  Trilinear trilinear_;
  Stored general_;
  setup_numbers<group_place, Backend> places_;
  geometry_classes classes_;
};

}  // namespace sumfac::detail
