// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Boxes that hold the elements of a mesh, curved ones too, and a uniform grid that says which boxes meet a cell.
#pragma once

#include <sumfac/backend/host.hpp>
#include <sumfac/mesh/locate/cell_map.hpp>
#include <sumfac/mesh/locate/mesh_map.hpp>
#include <sumfac/mesh/mesh_nodes.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace sumfac::SUMFAC_TARGET::detail {

template <int Directions>
struct element_box {
  vector<double, Directions> low, high;

  bool holds(vector<double, Directions> const& x) const
  {
    for (int c = 0; c < Directions; ++c)
      if (!(x[c] >= low[c] && x[c] <= high[c])) return false;
    return true;
  }
  // Whether x is in it, or no further away than `margin` in each coordinate.
  bool holds(vector<double, Directions> const& x, vector<double, Directions> const& margin) const
  {
    return element_box{low - margin, high + margin}.holds(x);
  }
};

inline double magnitude_of(double x) { return x < 0 ? -x : x; }

// Sizes of elements whose maps, and the grid of whose boxes, are numbers.
inline constexpr double least_located = 0x1p-960, most_located = 0x1p960;

// From the values of polynomials at the m^D nodes of products of lines to their Bernstein coefficients, by table[j][i].
//
// A polynomial lies between the least and the greatest of them. The coefficients of l_i are made factor by factor:
// those of a product with a factor that is a at -1 and b at 1 are c_j = ((r - j) a b_j + j b b_{j-1}) / r for degree r.
// **Source** R. T. Farouki, The Bernstein polynomial basis: a centennial retrospective, Comput. Aided Geom. Design 29
// (2012).
template <int Directions>
class bernstein_table {
public:
  template <class Set>
  bernstein_table(int m, Set const& set) : m_(m)
  {
    long double places[max_mesh_nodes_1d] = {};
    set(m, places);
    for (int i = 0; i < m; ++i) {
      long double b[max_mesh_nodes_1d + 1] = {1};
      int degree = 0;
      for (int k = 0; k < m; ++k) {
        if (k == i) continue;
        ++degree;
        long double const at_low = (-1 - places[k]) / (places[i] - places[k]);
        long double const at_high = (1 - places[k]) / (places[i] - places[k]);
        for (int j = degree; j >= 0; --j)
          b[j] = ((degree - j) * at_low * b[j] + (j > 0 ? j * at_high * b[j - 1] : 0)) / degree;
      }
      for (int j = 0; j < m; ++j) table_[j][i] = static_cast<double>(b[j]);
    }
  }

  // Makes coefficients of values, through memory for as many.
  void operator()(own_vector<double>& values, own_vector<double>& memory) const
  {
    int const size = power(m_, Directions);
    // Along the fastest direction, which comes back as the slowest: after D turns all are where they were.
    for (int d = 0; d < Directions; ++d) {
      for (int row = 0; row < size / m_; ++row)
        for (int j = 0; j < m_; ++j) {
          double sum = 0;
          for (int i = 0; i < m_; ++i) sum += table_[j][i] * values[static_cast<std::size_t>(row * m_ + i)];
          memory[static_cast<std::size_t>(j * (size / m_) + row)] = sum;
        }
      std::swap(values, memory);
    }
  }

  // By Markov's inequality, how much further a polynomial of a range 1 on the element is at places beyond it by a
  // tolerance, as a multiple of that.
  double growth() const { return 2 * m_ * m_; }

private:
  int m_;
  double table_[max_mesh_nodes_1d][max_mesh_nodes_1d];
};
template <class Nodes, class Set>
auto bernstein_of(line_access<Nodes, Set> const& mesh)
{
  return bernstein_table<mesh_access<Nodes>::directions>(mesh.nodes_1d(), mesh.set);
}

// The same of simplices and prisms.
template <class Functions>
struct cell_coefficients {
  Functions const& functions;

  void operator()(own_vector<double>& values, own_vector<double>& memory) const
  {
    functions.coefficients(values.data(), memory.data());
    std::swap(values, memory);
  }

  // A gradient is at most 4 n^2 / w times the modulus for degree n on a convex body of width w, here 1 / sqrt 3 at
  // least, and what is beyond sides by a tolerance is no further away than 3.4 of these.
  // **Source** D. R. Wilhelmsen, A Markov inequality in several dimensions, J. Approx. Theory 11 (1974).
  double growth() const { return 12 * (functions.degree() + 1) * (functions.degree() + 1); }
};
template <int Directions, cell_shape Shape, class Nodes>
auto bernstein_of(cell_access<Directions, Shape, Nodes> const& mesh)
{
  return cell_coefficients<bernstein_functions<Directions, Shape>>{mesh.functions};
}

template <int Directions>
[[noreturn, gnu::cold, gnu::noinline]] void refuse_size(element_box<Directions> const& box, index_t element)
{
  double size = 0;
  for (int c = 0; c < Directions; ++c) size += box.high[c] - box.low[c];
  throw_text<geometry_error>(
      "sumfac::locator: element %lld is beyond the numbers of type double (size %.6g, %.3g to %.3g "
      "expected): scale the mesh",
      static_cast<long long>(element), size, least_located, most_located);
}

// The box of each element of a mesh, on the threads of the host.
//
// **Errors** argument_error where a node is not a finite number;
// geometry_error for an element of such a size that products of lengths, as Newton's method has them, are no
// numbers.
template <class Mesh>
own_vector<element_box<Mesh::directions>> boxes_of(host const& threads, Mesh const& mesh, double tolerance)
{
  constexpr int directions = Mesh::directions;
  int const size = mesh.nodes_of_element();
  auto const bernstein = bernstein_of(mesh);
  own_vector<element_box<directions>> boxes(static_cast<std::size_t>(mesh.elements()));
  first_of_all not_finite(mesh.elements()), beyond(mesh.elements());
  threads.partition(mesh.elements(), [&](index_t first, index_t last) {
    own_vector<double> from(static_cast<std::size_t>(size)), to(static_cast<std::size_t>(size));
    for (index_t e = first; e < last; ++e) {
      auto& box = boxes[static_cast<std::size_t>(e)];
      double diagonal = 0;
      for (int c = 0; c < directions; ++c) {
        double origin = 0;
        mesh.for_each_node(e, [&](int p, auto const& at) {
          if (p == 0) origin = at(c);
          from[static_cast<std::size_t>(p)] = at(c) - origin;
        });
        bernstein(from, to);
        double low = 0, high = 0;
        for (double const b : from) {
          low = b < low ? b : low, high = b > high ? b : high;
          if (b - b != 0) not_finite.keep(e);
        }
        box.low[c] = origin + low, box.high[c] = origin + high;
        diagonal += high - low;
      }
      if (diagonal > 0 && !(diagonal >= least_located && diagonal <= most_located)) beyond.keep(e);
      // What the tolerance of reference coordinates adds at most; and rounding.
      for (int c = 0; c < directions; ++c) {
        double const greatest = -box.low[c] > box.high[c] ? -box.low[c] : box.high[c];
        double const margin =
            (bernstein.growth() * tolerance + 1e-12) * diagonal + 6 * mesh.rounding * magnitude_of(greatest);
        box.low[c] -= margin, box.high[c] += margin;
      }
    }
  });
  if (not_finite.index() < mesh.elements())
    failf("locator", "a mesh node is not a finite number (element %lld of %lld): pass finite coordinates",
          static_cast<long long>(not_finite.index()), static_cast<long long>(mesh.elements()));
  if (beyond.index() < mesh.elements()) refuse_size(boxes[static_cast<std::size_t>(beyond.index())], beyond.index());
  return boxes;
}

// A uniform grid over all boxes, about as many cells as there are elements: for each cell the elements, ascending,
// whose boxes meet it.
template <int Directions>
class box_grid {
public:
  using point = vector<double, Directions>;
  using box = element_box<Directions>;

  explicit box_grid(own_vector<box> boxes) : boxes_(std::move(boxes))
  {
    if (boxes_.empty()) return;
    whole_ = boxes_[0];
    double sides[Directions] = {};
    for (box const& b : boxes_)
      for (int c = 0; c < Directions; ++c) {
        whole_.low[c] = b.low[c] < whole_.low[c] ? b.low[c] : whole_.low[c];
        whole_.high[c] = b.high[c] > whole_.high[c] ? b.high[c] : whole_.high[c];
        sides[c] += b.high[c] - b.low[c];
      }
    // Cells of the size of a mean box, but no more than twice as many as elements.
    auto const elements = static_cast<double>(boxes_.size());
    double wanted[Directions], cells = 1;
    for (int c = 0; c < Directions; ++c) {
      wanted[c] = (whole_.high[c] - whole_.low[c]) / (sides[c] / elements);
      cells *= wanted[c];
    }
    for (int c = 0; c < Directions; ++c) {
      while (cells > 2 * elements + 8 && wanted[c] > 1) cells /= 2, wanted[c] /= 2;
      count_[c] = wanted[c] >= 1 ? static_cast<index_t>(wanted[c] < 1e6 ? wanted[c] : 1e6) : 1;  // 1 for NaN
      double const length = whole_.high[c] - whole_.low[c];
      per_length_[c] = length > 0 ? static_cast<double>(count_[c]) / length : 0;
    }
    list_boxes();
  }

  index_t cells() const
  {
    index_t product = 1;
    for (index_t const n : count_) product *= n;
    return product;
  }

  // Calls try_one(element) for those whose box holds x, in ascending order, until it returns true; whether it did.
  template <class Function>
  bool any_of(point const& x, Function const& try_one) const
  {
    if (boxes_.empty() || !whole_.holds(x)) return false;
    index_t cell = 0;
    for (int c = Directions - 1; c >= 0; --c) cell = cell * count_[c] + place(x[c], c);
    for (index_t const* e = begin(cell); e != begin(cell + 1); ++e)
      if (boxes_[static_cast<std::size_t>(*e)].holds(x) && try_one(*e)) return true;
    return false;
  }
  // The same for those whose box is no further away than the margin and half a cell.
  template <class Function>
  [[gnu::noinline]] bool any_near(point const& x, point margin, Function const& try_one) const
  {
    if (boxes_.empty()) return false;
    for (int c = 0; c < Directions; ++c)
      if (double const half = 0.5 / per_length_[c]; margin[c] > half) margin[c] = half;
    if (!whole_.holds(x, margin)) return false;
    own_vector<index_t> close_by;
    for_each_cell(box{x - margin, x + margin}, [&](index_t cell) {
      for (index_t const* e = begin(cell); e != begin(cell + 1); ++e) close_by.push_back(*e);
    });
    std::sort(close_by.begin(), close_by.end());
    return std::any_of(close_by.begin(), std::unique(close_by.begin(), close_by.end()),
                       [&](index_t e) { return boxes_[static_cast<std::size_t>(e)].holds(x, margin) && try_one(e); });
  }

private:
  index_t const* begin(index_t cell) const { return listed_.data() + first_[static_cast<std::size_t>(cell)]; }

  index_t place(double x, int c) const
  {
    double const at = (x - whole_.low[c]) * per_length_[c];
    return !(at >= 1) ? 0 : at < static_cast<double>(count_[c]) ? static_cast<index_t>(at) : count_[c] - 1;
  }

  // Calls f(cell) for the cells that a box meets.
  template <class Function>
  void for_each_cell(box const& b, Function const& f) const
  {
    index_t low[3] = {}, high[3] = {}, count[3] = {1, 1, 1};
    for (int c = 0; c < Directions; ++c)
      low[c] = place(b.low[c], c), high[c] = place(b.high[c], c), count[c] = count_[c];
    for (index_t z = low[2]; z <= high[2]; ++z)
      for (index_t y = low[1]; y <= high[1]; ++y)
        for (index_t x = low[0]; x <= high[0]; ++x) f((z * count[1] + y) * count[0] + x);
  }

  void list_boxes()
  {
    first_.assign(static_cast<std::size_t>(cells() + 1), 0);
    for (box const& b : boxes_) for_each_cell(b, [&](index_t cell) { ++first_[static_cast<std::size_t>(cell + 1)]; });
    for (std::size_t cell = 1; cell < first_.size(); ++cell) first_[cell] += first_[cell - 1];
    listed_.resize(static_cast<std::size_t>(first_.back()));
    own_vector<index_t> next = first_;
    for (std::size_t e = 0; e < boxes_.size(); ++e)
      for_each_cell(boxes_[e], [&](index_t cell) {
        listed_[static_cast<std::size_t>(next[static_cast<std::size_t>(cell)]++)] = static_cast<index_t>(e);
      });
  }

  own_vector<box> boxes_;
  box whole_{};
  index_t count_[Directions] = {};
  double per_length_[Directions] = {};
  own_vector<index_t> first_, listed_;
};

}  // namespace sumfac::detail
