// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The diagonal of an element's matrix by sum factorization, for any form.
#pragma once

#include <sumfac/basis/lagrange.hpp>
#include <sumfac/basis/tables.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/geometry/element_vector.hpp>

#include <vector>

namespace sumfac::detail {

// d_i = sum over points and pairs (a, b) of M_ab phi_a,i phi_b,i, where phi_0 is the basis function, phi_1..3 are its
// reference derivatives, and the form's 4 x 4 matrix M at the point is found by applying it to unit vectors.
//
// Products of two basis functions are products of direction-wise tables, so each pair is three small contractions.
// **Work** 16 contractions of 2 (n g^3 + n^2 g^2 + n^3 g) flops per component; not a hot path, in double.
template <class Form, class Nodes, class Points, class Scalar>
class element_diagonal {
public:
  static constexpr int n = Nodes::size, g = Points::size;
  static constexpr int components = components_of<Form>;

  struct workspace {
    std::vector<double> matrix;                       // (C, 16, g, g, g): M at the points
    std::vector<double> slab, column, row, diagonal;  // (n, g, g), (n, n, g), (n, n, n), (n, n, n)
  };

  explicit element_diagonal(Form const& form) : form_(form) {}

  workspace make_workspace() const
  {
    auto const size = [](int a, int b, int c) { return static_cast<std::size_t>(a) * static_cast<std::size_t>(b * c); };
    return {std::vector<double>(size(g, g, g) * 16 * components), std::vector<double>(size(n, g, g)),
            std::vector<double>(size(n, n, g)), std::vector<double>(size(n, n, n)), std::vector<double>(size(n, n, n))};
  }

  // Writes the diagonal of element e to d; at(z, y, x, f) calls f with what apply_form takes at a point.
  template <class At>
  void compute(workspace& work, index_t e, element_vector<Scalar> const& d, At const& at) const;

private:
  template <class At>
  void fill_matrix(workspace& work, At const& at) const;
  void add_pair(workspace& work, int c, int a, int b) const;

  // Contracts index `from` of a (outer, from, inner) array with the product of two tables' columns.
  template <class Table>
  static void contract_product(std::vector<double> const& in, std::vector<double>& out, int outer, int inner,
                               Table const& a, Table const& b);

  static double& component_of_values(point_values<double, components>& u, int c, int a)
  {
    if constexpr (components == 1)
      return a == 0 ? u.value : u.gradient[a - 1];
    else
      return a == 0 ? u.value[c] : u.gradient(c, a - 1);
  }

  Form form_;
  table<double, g, n> const values_ = interpolation<double, Nodes, Points>();
  table<double, g, n> const slopes_ = differentiation<double, Nodes, Points>();
};

template <class Form, class Nodes, class Points, class Scalar>
template <class At>
void element_diagonal<Form, Nodes, Points, Scalar>::compute(workspace& work, index_t e, element_vector<Scalar> const& d,
                                                            At const& at) const
{
  fill_matrix(work, at);
  for (int c = 0; c < components; ++c) {
    work.diagonal.assign(work.diagonal.size(), 0.0);
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b)
        if (has(Form::test, a == 0 ? value : gradient) && has(Form::trial, b == 0 ? value : gradient))
          add_pair(work, c, a, b);
    std::size_t entry = 0;
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) d(e, c, k, j, i) = static_cast<Scalar>(work.diagonal[entry++]);
  }
}

template <class Form, class Nodes, class Points, class Scalar>
template <class At>
void element_diagonal<Form, Nodes, Points, Scalar>::fill_matrix(workspace& work, At const& at) const
{
  std::size_t const points = static_cast<std::size_t>(g) * g * g;
  std::size_t point = 0;
  for (int z = 0; z < g; ++z)
    for (int y = 0; y < g; ++y)
      for (int x = 0; x < g; ++x, ++point)
        at(z, y, x, [&](auto const& here) {
          for (int c = 0; c < components; ++c)
            for (int b = 0; b < 4; ++b) {
              point_values<double, components> unit{};
              component_of_values(unit, c, b) = 1;
              auto tested = apply_form(form_, here, unit);
              for (int a = 0; a < 4; ++a)
                work.matrix[static_cast<std::size_t>((c * 4 + a) * 4 + b) * points + point] =
                    component_of_values(tested, c, a);
            }
        });
}

template <class Form, class Nodes, class Points, class Scalar>
void element_diagonal<Form, Nodes, Points, Scalar>::add_pair(workspace& work, int c, int a, int b) const
{
  std::size_t const points = static_cast<std::size_t>(g) * g * g;
  auto const first =
      work.matrix.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>((c * 4 + a) * 4 + b) * points);
  std::vector<double> const matrix(first, first + static_cast<std::ptrdiff_t>(points));
  auto const along = [&](int p, int direction) -> auto const&
  {
    return p == direction ? slopes_ : values_;
  };
  contract_product(matrix, work.slab, 1, g * g, along(a, 3), along(b, 3));
  contract_product(work.slab, work.column, n, g, along(a, 2), along(b, 2));
  contract_product(work.column, work.row, n * n, 1, along(a, 1), along(b, 1));
  for (std::size_t i = 0; i < work.diagonal.size(); ++i) work.diagonal[i] += work.row[i];
}

template <class Form, class Nodes, class Points, class Scalar>
template <class Table>
void element_diagonal<Form, Nodes, Points, Scalar>::contract_product(std::vector<double> const& in,
                                                                     std::vector<double>& out, int outer, int inner,
                                                                     Table const& a, Table const& b)
{
  for (int o = 0; o < outer; ++o)
    for (int i = 0; i < n; ++i)
      for (int p = 0; p < inner; ++p) {
        double sum = 0;
        for (int q = 0; q < g; ++q) sum += a(q, i) * b(q, i) * in[static_cast<std::size_t>((o * g + q) * inner + p)];
        out[static_cast<std::size_t>((o * n + i) * inner + p)] = sum;
      }
}

}  // namespace sumfac::detail
