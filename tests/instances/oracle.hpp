// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The oracle of one element of any space: its matrix by definition, and what rounding may do, in long double.
#pragma once

#include <support/spaces.hpp>

#include <functional>
#include <vector>

namespace instances {

using reference::flat_field, reference::real, reference::rule;
using vector = std::vector<double>;

// Elements with their own copies of m^D nodes each, in C coordinates; nodes of an edge at Gauss-Lobatto points.
struct elements {
  int count = 0, directions = 3, coordinates = 3, m = 2;
  vector numbers{};  // (E, m, m, m, C), (E, m, m, C) or (E, m, C)

  std::size_t element_size() const { return numbers.size() / static_cast<std::size_t>(count); }
  elements part(int first, int last) const;  // first .. last - 1
  elements scaled(double h) const;
};

// Where an integrand is evaluated: the number of the point, x fastest, and the other functions that it reads there.
struct place {
  int element, number;
  std::vector<real> position;
  std::vector<flat_field> inputs;
};
using integrand = std::function<flat_field(place const&, flat_field const& u)>;

// Another function on an element: its nodes along a direction, components, and values (C, n, n, n) there.
struct input_values {
  rule nodes;
  int components;
  std::vector<real> values;
};

class exact_element {
public:
  exact_element(elements const& mesh, int element, reference::function_space const& trial,
                reference::function_space const& test, rule const& points, integrand const& form,
                std::vector<input_values> const& inputs);

  // v = A u, of any form.
  std::vector<real> apply(std::vector<real> const& u) const;

  // The matrix of a form that is linear, row by row; and the sums of moduli of the terms of each entry, with those of
  // the factors (1 + condition / depth) times as large (support/tolerance.hpp).
  struct sums {
    std::vector<real> matrix, moduli;
  };
  sums assembled(real depth) const;

private:
  struct point {
    place at;
    real weight;                             // times the determinant
    std::vector<std::vector<real>> inverse;  // (D, C)
    real condition;
  };
  flat_field field_at(std::vector<real> const& basis, int components, std::vector<real> const& u, point const& x) const;

  int directions_, coordinates_, trial_components_, test_components_;
  integrand form_;
  std::vector<point> points_;
  std::vector<std::vector<real>> trial_, test_;  // of each point: (nodes, 1 + D) values and reference slopes
};

}  // namespace instances
