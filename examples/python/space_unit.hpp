// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Meshes and function spaces, of any degree: one source for all shapes.
#pragma once

#include "node_set.hpp"
#include "on_backend.hpp"

#include <sumfac/basis/detail/element_functions.hpp>
#include <sumfac/dofs/function_space.hpp>
#include <sumfac/interop/gmsh.hpp>
#include <sumfac/mesh/box_mesh.hpp>
#include <sumfac/mesh/cell_mesh.hpp>
#include <sumfac/mesh/refined.hpp>
#include <sumfac/tools/write_vtu.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sumfac_python {

inline std::vector<sumfac::element_side> sides_of(std::vector<side> const& from)
{
  std::vector<sumfac::element_side> to;
  for (side const& at : from) to.push_back({at.element, static_cast<int>(at.number)});
  return to;
}
inline std::vector<side> sides_of(std::vector<sumfac::element_side> const& from)
{
  std::vector<side> to;
  for (sumfac::element_side const& at : from) to.push_back({at.element, at.side});
  return to;
}

// Values at a position, as sumfac takes them of a function.
struct row_of_values {
  double const* numbers;
  double operator[](int c) const { return numbers[c]; }
};

// Calls walk(f), which calls f(x) of positions one by one, twice: first for all positions, then with the values that g
// has found for them at once.
template <int Coordinates, class Walk>
auto at_once(function_of_positions const& g, int components, Walk const& walk)
{
  using position = sumfac::vector<double, Coordinates>;
  std::vector<double> positions;
  std::vector<double> const zeros(static_cast<std::size_t>(components));
  static_cast<void>(walk([&](position const& x) {
    for (int c = 0; c < Coordinates; ++c) positions.push_back(x[c]);
    return row_of_values{zeros.data()};
  }));
  auto const values = g(positions);
  double const* next = values.data();
  return walk([&](position const&) {
    row_of_values const here{next};
    next += components;
    return here;
  });
}

template <int Directions, sumfac::cell_shape Shape>
class transfer_on final : public element_transfer {
  using functions = sumfac::detail::element_functions<Directions, Shape>;

public:
  transfer_on(int fine, int coarse)
      : table_(functions::nodes_of(basis_of(fine)), basis_of(coarse)),
        fine_(functions::size(fine)),
        coarse_(functions::size(coarse))
  {
  }

  void to_fine(double const* coarse, double* fine, index_t blocks) const override
  {
    each(blocks, [&](auto& by, index_t b) {
      std::copy_n(by.at_points(coarse + b * coarse_), fine_, fine + b * fine_);
    });
  }
  void to_coarse(double const* fine, double* coarse, index_t blocks) const override
  {
    each(blocks, [&](auto& by, index_t b) {
      std::copy_n(by.at_nodes(fine + b * fine_), coarse_, coarse + b * coarse_);
    });
  }

private:
  static auto basis_of(int degree) { return functions::through(degree + 1, sumfac::gauss_lobatto_nodes{}); }
  template <class Function>
  void each(index_t blocks, Function const& f) const
  {
    sumfac::host{}.partition(blocks, [&](index_t first, index_t last) {
      typename functions::contraction by(table_, 1);
      for (index_t b = first; b < last; ++b) f(by, b);
    });
  }

  typename functions::table table_;
  index_t fine_, coarse_;
};

template <int Directions, int Coordinates, sumfac::cell_shape Shape>
class space_on final : public any_space {
  using type = sumfac::function_space<Directions, Coordinates, Shape>;
  using position = typename type::position;
  using point = typename type::point;
  using function_of_degree = std::function<std::shared_ptr<any_space const>(int degree, int points)>;

public:
  space_on(type&& of, function_of_degree again) : inner_(std::move(of)), again_(std::move(again))
  {
    auto const& nodes_of_mesh = inner_.mesh();
    of_mesh = mesh_from(nodes_of_mesh);
    degree = inner_.degree(), components = inner_.components(), nodes = inner_.nodes();
    points_1d = inner_.options().points > 0 ? inner_.options().points : degree + 2;
    nodes_of_element = sumfac::detail::element_functions<Directions, Shape>::size(degree);
  }

  static mesh mesh_from(sumfac::mesh<Directions, Coordinates, Shape> const& of)
  {
    mesh made{.nodes = of.data(),
              .elements = of.elements(),
              .nodes_1d = of.extent(1),
              .directions = Directions,
              .coordinates = Coordinates,
              .simplices = Shape == sumfac::cell_shape::simplex};
    if constexpr (Shape == sumfac::cell_shape::lines) {
      made.places.resize(static_cast<std::size_t>(of.nodes_1d()));
      of.node_set()(of.nodes_1d(), made.places.data());
    }
    return made;
  }

  std::shared_ptr<restriction const> make_restriction(bool constrained) const override
  {
    sumfac::host const backend;
    return std::make_shared<restriction_on<double, sumfac::host>>(constrained ? inner_.restriction(backend)
                                                                              : inner_.unconstrained(backend));
  }
  std::vector<double> positions() const override { return inner_.positions(); }
  std::int32_t const* table() const override { return inner_.table().data(); }
  std::vector<unsigned char> marks() const override
  {
    auto const marks = inner_.marks();
    return {marks.data(), marks.data() + marks.size()};
  }

  space_points points(double const* u) const override
  {
    auto const count = static_cast<std::size_t>(of_mesh.elements * points_of_element());
    auto const c = static_cast<std::size_t>(components), d = std::size_t{Coordinates};
    space_points all;
    all.positions.resize(count * d), all.measures.resize(count);
    if (u != nullptr) all.values.resize(count * c), all.gradients.resize(count * c * d);
    std::vector<double> zeros(u == nullptr ? static_cast<std::size_t>(size()) : 0);
    auto const function = vector_of(u == nullptr ? static_cast<double const*>(zeros.data()) : u, size());
    inner_.integral(function, [&](point const& p) {
      auto const at = static_cast<std::size_t>(p.number);
      for (std::size_t i = 0; i < d; ++i) all.positions[at * d + i] = p.position[static_cast<int>(i)];
      all.measures[at] = p.measure;
      if (u != nullptr) {
        std::copy_n(p.values, c, all.values.data() + at * c);
        std::copy_n(p.gradients, c * d, all.gradients.data() + at * c * d);
      }
      return 0.0;
    });
    return all;
  }
  std::vector<double> load(std::vector<double> const& at_points) const override
  {
    return inner_.load_at_points(at_points);
  }

  std::vector<double> lift(std::function<void(double const* u, double* of_u)> const& matrix,
                           function_of_positions const& g, double* b, double const* guess) const override
  {
    std::vector<double> scratch(static_cast<std::size_t>(size()));
    any_matrix const a{matrix};
    bool first = true;
    return at_once<Coordinates>(g, components, [&](auto const& f) {
      if (std::exchange(first, false)) {
        inner_.set_fixed(f, scratch);
        return std::vector<double>();
      }
      if (guess == nullptr) return inner_.lift(a, f, vector_of(b, size()));
      return inner_.lift(a, f, vector_of(b, size()), vector_of(guess, size()));
    });
  }
  void set_fixed(function_of_positions const& g, double* u) const override
  {
    at_once<Coordinates>(g, components, [&](auto const& f) {
      inner_.set_fixed(f, vector_of(u, size()));
      return 0;
    });
  }
  void distribute(double* u) const override { inner_.distribute(vector_of(u, size())); }
  std::vector<double> values_of(any_space const& other, double const* u) const override
  {
    auto const* const from = dynamic_cast<space_on const*>(&other);
    if (from == nullptr)
      sumfac::failf("function_space::values",
                    "the other space has elements of another kind (%d directions, %d coordinates expected, got %d, "
                    "%d): take one of the same mesh, or of one that it was cut from",
                    Directions, Coordinates, other.of_mesh.directions, other.of_mesh.coordinates);
    return inner_.values(from->inner_, vector_of(u, other.size()));
  }

  std::shared_ptr<any_space const> on([[maybe_unused]] std::vector<side> const& sides) const override
  {
    if constexpr (Directions == Coordinates && Directions > 1) {
      constexpr auto shape = Directions == 3 ? Shape : sumfac::cell_shape::lines;
      auto const again = again_;
      return std::make_shared<space_on<Directions - 1, Coordinates, shape>>(
          inner_.on(sides_of(sides)),
          [again, sides](int lower, int points) { return again(lower, points)->on(sides); });
    } else {
      sumfac::failf("function_space::on",
                    "the elements have %d directions in %d coordinates (2 in 2 or 3 in 3 expected): sides are those of "
                    "the space in the volume",
                    Directions, Coordinates);
    }
  }
  std::shared_ptr<any_space const> at_degree(int lower, int points) const override
  {
    return again_(lower, points);
  }
  std::shared_ptr<element_transfer const> transfer_from(int lower) const override
  {
    return std::make_shared<transfer_on<Directions, Shape>>(degree, lower);
  }
  void write(std::string const& file,
             std::vector<std::pair<std::string, std::vector<double>>> const& fields) const override
  {
    std::vector<sumfac::vtu_field> all;
    for (auto const& [name, values] : fields) all.push_back({name, values});
    sumfac::write_vtu(file, inner_, all);
  }

private:
  // What lift() asks of an operator.
  struct any_matrix {
    std::function<void(double const* u, double* of_u)> const& matrix;

    sumfac::host backend() const { return {}; }
    template <class Restriction>
    void apply(Restriction const&, std::vector<double> const& u, std::vector<double>& of_u) const
    {
      matrix(u.data(), of_u.data());
    }
  };

  type inner_;
  function_of_degree again_;
};

template <int Directions, sumfac::cell_shape Shape>
class mesh_on final : public any_mesh {
  using type = sumfac::mesh<Directions, Directions, Shape>;
  using space_type = space_on<Directions, Directions, Shape>;
  using position = sumfac::vector<double, Directions>;
  static constexpr bool is_lines = Shape == sumfac::cell_shape::lines;

public:
  explicit mesh_on(type const& m) : inner_(m)
  {
    of = space_type::mesh_from(inner_);
    vertices = inner_.vertices();
    if constexpr (is_lines) hanging = static_cast<index_t>(inner_.hanging().size());
  }
  static std::shared_ptr<any_mesh const> made(type const& m) { return std::make_shared<mesh_on>(m); }

  std::vector<side> boundary() const override { return sides_of(inner_.boundary()); }
  std::vector<side> boundary(std::string const& name) const override { return sides_of(inner_.boundary(name)); }
  std::vector<side> boundary(int tag) const override { return sides_of(inner_.boundary(tag)); }
  std::vector<side> boundary(function_of_positions const& where) const override
  {
    auto const all = boundary();
    if (all.empty()) return all;
    std::vector<double> positions;
    static_cast<void>(inner_.boundary([&](position const& x) {
      for (int c = 0; c < Directions; ++c) positions.push_back(x[c]);
      return true;
    }));
    auto const is_there = where(positions);
    std::size_t const each = is_there.size() / all.size();
    std::vector<side> found;
    for (std::size_t s = 0; s < all.size(); ++s) {
      auto const* const first = is_there.data() + s * each;
      if (std::all_of(first, first + each, [](double x) { return x > 0 || x < 0; })) found.push_back(all[s]);
    }
    if (found.empty()) static_cast<void>(inner_.boundary([](position const&) { return false; }));  // which is refused
    return found;
  }
  std::vector<index_t> elements(std::string const& name) const override { return inner_.elements(name); }
  std::shared_ptr<any_mesh const> named(std::string const& name, std::vector<side> const& sides) const override
  {
    return made(inner_.named(sumfac::named_sides{name, 0, sides_of(sides)}));
  }

  std::shared_ptr<any_mesh const> moved([[maybe_unused]] function_of_positions const& place) const override
  {
    if constexpr (is_lines) {
      bool first = true;
      return at_once<Directions>(place, Directions, [&](auto const& f) {
        bool const stays = std::exchange(first, false);
        return made(inner_.moved([&](position const& x) {
          auto const values = f(x);
          position to = x;
          for (int c = 0; c < Directions && !stays; ++c) to[c] = values[c];
          return to;
        }));
      });
    } else {
      refuse_simplices("moved", "move the points that it is made of");
    }
  }
  std::shared_ptr<any_mesh const> refined([[maybe_unused]] int times) const override
  {
    if constexpr (is_lines)
      return made(sumfac::refined(inner_, times));
    else
      refuse_simplices("refined", "make a finer one by its mesh generator");
  }
  std::shared_ptr<any_mesh const> refine([[maybe_unused]] std::vector<index_t> const& elements) const override
  {
    if constexpr (is_lines)
      return made(sumfac::refine(inner_, elements));
    else
      refuse_simplices("refine", "make a finer one by its mesh generator");
  }

  std::shared_ptr<any_space const> make_space(space_options const& o) const override
  {
    std::vector<sumfac::fixed_sides> fixed;
    for (auto const& [sides, component] : o.fixed) fixed.emplace_back(sides_of(sides), component);
    return std::make_shared<space_type>(
        sumfac::function_space<Directions, Directions, Shape>(inner_, o.degree, fixed,
                                                              {.components = o.components, .points = o.points}),
        [here = mesh_on(inner_), o](int lower, int points) {
          space_options coarser = o;
          coarser.degree = lower, coarser.points = points;
          return here.make_space(coarser);
        });
  }

  static mesh_entry entry()
  {
    return {Directions, !is_lines,
            [](std::vector<int> const& cells, int order) { return box(cells, order); },
            [](mesh const& nodes, mesh_table const& table) { return of_arrays(nodes, table); },
            [](std::string const& file) { return made(sumfac::gmsh::read<Directions, Directions, Shape>(file)); }};
  }

private:
  [[noreturn]] static void refuse_simplices(char const* what, char const* instead)
  {
    sumfac::failf("mesh", "%s is of quadrilaterals and hexahedra (a mesh of simplices of %d directions got): %s", what,
                  Directions, instead);
  }
  static std::shared_ptr<any_mesh const> box([[maybe_unused]] std::vector<int> const& cells, [[maybe_unused]] int order)
  {
    if constexpr (is_lines) {
      int along[Directions];
      std::copy_n(cells.begin(), Directions, along);
      return made(sumfac::box_mesh(along, [](position const& x) { return x; }, order));
    } else {
      refuse_simplices("box_mesh", "there is sumfac.mesh(points, vertices)");
    }
  }
  static std::shared_ptr<any_mesh const> of_arrays(mesh const& m, mesh_table const& table)
  {
    index_t const e = m.elements, n = m.nodes_1d, t = table.nodes_1d, d = Directions;
    if constexpr (!is_lines) {
      return made(type(sumfac::view(m.nodes, n, d), sumfac::view(table.numbers, e, t)));
    } else if constexpr (Directions == 2) {
      return of_views(m, table, sumfac::view(m.nodes, e, n, n, d), sumfac::view(table.numbers, e, t, t));
    } else {
      return of_views(m, table, sumfac::view(m.nodes, e, n, n, n, d), sumfac::view(table.numbers, e, t, t, t));
    }
  }
  template <class Nodes, class Table>
  static std::shared_ptr<any_mesh const> of_views(mesh const& m, mesh_table const& table, Nodes const& nodes,
                                                  Table const& numbers)
  {
    node_set const set{m.equispaced};
    return made(table.numbers == nullptr ? type(nodes, set) : type(nodes, set, numbers));
  }

  type inner_;
};

inline std::vector<mesh_entry> entries_of_meshes()
{
  using sumfac::cell_shape;
  return {mesh_on<2, cell_shape::lines>::entry(), mesh_on<3, cell_shape::lines>::entry(),
          mesh_on<2, cell_shape::simplex>::entry(), mesh_on<3, cell_shape::simplex>::entry()};
}

}  // namespace sumfac_python
