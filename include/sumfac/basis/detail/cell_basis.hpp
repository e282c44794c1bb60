// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The Lagrange basis of triangles, tetrahedra and prisms, made at run time: its nodes, and values at any place.
#pragma once

#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/basis/lagrange.hpp>
#include <sumfac/basis/quadrature.hpp>
#include <sumfac/basis/space.hpp>

#include <cstddef>

namespace sumfac::SUMFAC_TARGET::detail {

// Calls f(a) for the indices of all nodes of a line, a triangle or a tetrahedron in their order: a[0] that of the
// vertex at 0, then those along x, y, z. Together they are the degree.
template <class Function>
void for_each_lattice_index(int directions, int degree, Function const& f)
{
  for (int k = 0; k <= (directions == 3 ? degree : 0); ++k)
    for (int j = 0; j <= (directions >= 2 ? degree - k : 0); ++j)
      for (int i = 0; i <= degree - k - j; ++i) {
        int const a[] = {degree - i - j - k, i, j, k};
        f(a);
      }
}

// Polynomials of a degree on a triangle or a tetrahedron by their values at nodes, as sums of Bernstein's polynomials,
// the products of powers of barycentric coordinates.
//
// Nodes follow from the sets of nodes on a line, ascending in [-1, 1], for each degree up to that of the basis: those
// of indices a lie between the nodes of the sides, whose indices are a without one of them, weighted by the line's
// nodes.
// **Work** of the matrix 2/3 P^3, of an evaluation 2 (1 + D) P^2 flops.
class simplex_basis {
public:
  // set(n, nodes) writes the n nodes of a line, n from 2 to degree + 1.
  template <class Set>
  simplex_basis(int directions, int degree, Set const& set) : directions_(directions), degree_(degree)
  {
    int index[4] = {};
    for_each_index([&](int const*) { ++size_; });
    auto const p = static_cast<std::size_t>(size_);
    nodes_ = own_vector<long double>(p * static_cast<std::size_t>(directions));
    lines_ = own_vector<long double>(static_cast<std::size_t>((degree + 1) * (degree + 1)));
    line(0)[0] = 0.5L;
    for (int n = 1; n <= degree; ++n) {
      set(n + 1, line(n));
      for (int i = 0; i <= n; ++i) line(n)[i] = (1 + line(n)[i]) / 2;
    }
    long double* out = nodes_.data();
    for_each_index([&](int const* a) {
      long double barycentric[4];
      for (int d = 0; d <= directions_; ++d) index[d] = a[d];
      place(index, directions_ + 1, barycentric);
      for (int d = 1; d <= directions_; ++d) *out++ = barycentric[d];
    });
    invert();
  }

  int size() const { return size_; }
  // Coordinate d of a node.
  long double node(int p, int d) const { return nodes_[static_cast<std::size_t>(p * directions_ + d)]; }

  // values (P) and gradients (P, D) at a place.
  void evaluate(long double const* x, long double* values, long double* gradients) const
  {
    own_vector<long double> terms(static_cast<std::size_t>((1 + directions_) * size_));
    bernstein(x, terms.data());
    for (int p = 0; p < size_; ++p) {
      for (int f = 0; f <= directions_; ++f) {
        long double sum = 0;
        for (int k = 0; k < size_; ++k) sum += terms[static_cast<std::size_t>(f * size_ + k)] * coefficient(k, p);
        (f == 0 ? values[p] : gradients[p * directions_ + f - 1]) = sum;
      }
    }
  }

  // Bernstein's polynomials (P) at a place, and behind them their derivatives, direction by direction (D, P).
  template <class T>
  void bernstein(T const* x, T* terms) const
  {
    T l[4] = {1, 0, 0, 0};
    for (int d = 0; d < directions_; ++d) l[d + 1] = x[d], l[0] -= x[d];
    auto const power = [](T base, int n) {
      T product = 1;
      for (int i = 0; i < n; ++i) product *= base;
      return product;
    };
    int k = 0;
    for_each_index([&](int const* a) {
      T many = 1;  // degree! / (a[0]! a[1]! ...)
      for (int i = 0, n = 0; i <= directions_; ++i)
        for (int j = 1; j <= a[i]; ++j) many = many * static_cast<T>(++n) / static_cast<T>(j);
      auto const product = [&](int less) {
        T all = many;
        for (int i = 0; i <= directions_; ++i)
          all *= i == less ? static_cast<T>(a[i]) * power(l[i], a[i] - 1) : power(l[i], a[i]);
        return all;
      };
      auto const slope = [&](int i) { return a[i] == 0 ? T(0) : product(i); };
      terms[k] = product(-1);
      for (int d = 1; d <= directions_; ++d) terms[d * size_ + k] = slope(d) - slope(0);
      ++k;
    });
  }
  // How much of Bernstein's polynomial k is in the function of node p.
  long double coefficient(int k, int p) const { return inverse_[static_cast<std::size_t>(k * size_ + p)]; }

private:
  long double* line(int n) { return lines_.data() + n * (degree_ + 1); }
  long double const* line(int n) const { return lines_.data() + n * (degree_ + 1); }

  void for_each_index(auto const& f) const { for_each_lattice_index(directions_, degree_, f); }

  void place(int const* a, int count, long double* barycentric) const
  {
    int n = 0;
    for (int i = 0; i < count; ++i) n += a[i];
    if (count == 1) return static_cast<void>(barycentric[0] = 1);
    for (int i = 0; i < count; ++i) barycentric[i] = 0;
    long double all = 0;
    for (int i = 0; i < count; ++i) {
      int others[3];
      long double of_others[3];
      for (int j = 0; j + 1 < count; ++j) others[j] = a[j < i ? j : j + 1];
      place(others, count - 1, of_others);
      long double const weight = line(n)[n - a[i]];
      for (int j = 0; j + 1 < count; ++j) barycentric[j < i ? j : j + 1] += weight * of_others[j];
      all += weight;
    }
    for (int i = 0; i < count; ++i) barycentric[i] /= all;
  }

  // Gauss and Jordan's elimination, with the greatest entry of a column as pivot.
  void invert()
  {
    auto const n = static_cast<std::size_t>(size_);
    own_vector<long double> a(n * n), terms((1 + static_cast<std::size_t>(directions_)) * n);
    inverse_ = own_vector<long double>(n * n);
    for (std::size_t p = 0; p < n; ++p) {
      bernstein(nodes_.data() + p * static_cast<std::size_t>(directions_), terms.data());
      for (std::size_t k = 0; k < n; ++k) a[p * n + k] = terms[k];
      inverse_[p * n + p] = 1;
    }
    for (std::size_t c = 0; c < n; ++c) {
      std::size_t pivot = c;
      for (std::size_t r = c; r < n; ++r)
        if (size_of(a[r * n + c]) > size_of(a[pivot * n + c])) pivot = r;
      for (std::size_t k = 0; k < n; ++k) {
        swap(a[pivot * n + k], a[c * n + k]);
        swap(inverse_[pivot * n + k], inverse_[c * n + k]);
      }
      long double const over = 1 / a[c * n + c];
      for (std::size_t k = 0; k < n; ++k) a[c * n + k] *= over, inverse_[c * n + k] *= over;
      for (std::size_t r = 0; r < n; ++r) {
        long double const times = r == c ? 0 : a[r * n + c];
        if (times == 0) continue;
        for (std::size_t k = 0; k < n; ++k) {
          a[r * n + k] -= times * a[c * n + k];
          inverse_[r * n + k] -= times * inverse_[c * n + k];
        }
      }
    }
  }
  static long double size_of(long double x) { return x < 0 ? -x : x; }
  static void swap(long double& x, long double& y)
  {
    long double const kept = x;
    x = y, y = kept;
  }

  int directions_, degree_, size_ = 0;
  own_vector<long double> nodes_, lines_, inverse_;
};

// The same of a cell: a simplex, or a triangle times a line along z.
class cell_basis {
public:
  template <class Set>
  cell_basis(cell_shape shape, int directions, int degree, Set const& set)
      : along_z_(shape == cell_shape::prism ? degree + 1 : 1),
        base_(shape == cell_shape::prism ? 2 : directions, degree, set),
        line_(static_cast<std::size_t>(2 * along_z_))
  {
    if (along_z_ == 1) return;
    set(along_z_, line_.data());
    lagrange_weights(line_.data(), along_z_, line_.data() + along_z_);
  }

  int size() const { return base_.size() * along_z_; }
  long double node(int p, int d) const
  {
    return d == 2 && along_z_ > 1 ? line_[static_cast<std::size_t>(p / base_.size())] : base_.node(p % base_.size(), d);
  }

  // values (P) and gradients (P, D) at a place.
  void evaluate(long double const* x, long double* values, long double* gradients) const
  {
    if (along_z_ == 1) return base_.evaluate(x, values, gradients);
    auto const t = static_cast<std::size_t>(base_.size());
    own_vector<long double> of_base(3 * t), of_line(static_cast<std::size_t>(2 * along_z_));
    base_.evaluate(x, of_base.data(), of_base.data() + t);
    lagrange_derivatives(line_.data(), line_.data() + along_z_, along_z_, x[2], of_line.data(),
                         of_line.data() + along_z_);
    for (int k = 0; k < along_z_; ++k) {
      long double const value = of_line[static_cast<std::size_t>(k)];
      long double const slope = of_line[static_cast<std::size_t>(along_z_ + k)];
      for (std::size_t i = 0; i < t; ++i) {
        *values++ = of_base[i] * value;
        *gradients++ = of_base[t + 2 * i] * value;
        *gradients++ = of_base[t + 2 * i + 1] * value;
        *gradients++ = of_base[i] * slope;
      }
    }
  }

private:
  int along_z_;
  simplex_basis base_;
  own_vector<long double> line_;  // the nodes along z, and their barycentric weights
};

// The basis of a space that is no product of lines, by its placement of nodes.
inline cell_basis basis_of(space const& of)
{
  return {of.shape, of.directions, of.degree, [&](int n, long double* nodes) {
            long double weights[max_points];
            if (of.nodes == node_placement::equispaced)
              make_equispaced(n, nodes);
            else
              make_gauss_lobatto(n, nodes, weights);
          }};
}

}  // namespace sumfac::SUMFAC_TARGET::detail
