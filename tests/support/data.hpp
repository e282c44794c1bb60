// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The oracle for forms with data: coefficients by element and by point, other fields at the points, nonlinear forms.
//
// It is reference::element's naive sums, an integrand for each element, which reads tables by the numbers of element
// and point; fields of any degree are summed over all their nodes. Nothing of the library is in it.
#pragma once

#include "reference.hpp"

#include <functional>
#include <utility>
#include <vector>

namespace reference {

// What an integrand of a form with data sees: where it is, u there, and the other fields.
template <class T = real>
using data_integrand =
    std::function<field<T>(int element, point<T> const&, field<T> const& u, std::vector<field<T>> const& inputs)>;

// Another field on the same elements: its nodes, and an E-vector (E, C, n, n, n) of it.
template <class T = real>
struct input_field {
  rule nodes;
  int components;
  std::vector<T> values;
};

// A form with data on all elements of a mesh, by the definition.
template <class T = real>
class form_with_data {
public:
  using vector = std::vector<T>;

  form_with_data(space const& where, rule const& mesh_nodes, std::vector<double> const& coordinates,
                 data_integrand<T> form, std::vector<input_field<T>> inputs = {})
      : space_(where),
        mesh_nodes_(mesh_nodes),
        coordinates_(coordinates),
        form_(std::move(form)),
        inputs_(std::move(inputs))
  {
    int const m = mesh_nodes.size();
    elements_ = static_cast<int>(coordinates.size()) / (3 * m * m * m);
  }

  int elements() const { return elements_; }
  int size() const { return space_.components * space_.nodes.size() * space_.nodes.size() * space_.nodes.size(); }

  // v = F(u), E-vectors (E, C, n, n, n).
  vector apply(vector const& u) const
  {
    vector v;
    for (int e = 0; e < elements_; ++e) {
      vector const part = of_element(e).apply_dense(slice(u, e, size()));
      v.insert(v.end(), part.begin(), part.end());
    }
    return v;
  }

  // F'(u) w by central differences of fourth order: exact to about 1e-13 of F's third derivative's size in long double.
  vector derivative(vector const& u, vector const& w) const
  {
    vector result;
    for (int e = 0; e < elements_; ++e) {
      vector const part = derivative(of_element(e), slice(u, e, size()), slice(w, e, size()));
      result.insert(result.end(), part.begin(), part.end());
    }
    return result;
  }

  // Element e's matrix, of a form that is linear, or of F' at u: row by row.
  vector matrix(int e, vector const& u) const
  {
    vector a(static_cast<std::size_t>(size()) * static_cast<std::size_t>(size()));
    element<T> const of_e = of_element(e);
    for (int j = 0; j < size(); ++j) {
      vector unit(static_cast<std::size_t>(size()));
      unit[static_cast<std::size_t>(j)] = 1;
      vector const column = derivative(of_e, slice(u, e, size()), unit);
      for (int i = 0; i < size(); ++i)
        a[static_cast<std::size_t>(i * size() + j)] = column[static_cast<std::size_t>(i)];
    }
    return a;
  }

private:
  static vector derivative(element<T> const& f, vector const& u, vector const& w)
  {
    T const step = T(1e-4);
    vector result(u.size());
    for (auto const& [place, weight] : {std::pair<T, T>{1, 8}, {-1, -8}, {2, -1}, {-2, 1}}) {
      vector moved = u;
      for (std::size_t i = 0; i < u.size(); ++i) moved[i] += place * step * w[i];
      vector const at_moved = f.apply_dense(moved);
      for (std::size_t i = 0; i < u.size(); ++i) result[i] += weight * at_moved[i] / (12 * step);
    }
    return result;
  }

  static vector slice(vector const& x, int e, int size)
  {
    auto const first = x.begin() + static_cast<std::ptrdiff_t>(e) * size;
    return {first, first + size};
  }

  element<T> of_element(int e) const
  {
    int const m = mesh_nodes_.size();
    double const* const where = coordinates_.data() + static_cast<std::ptrdiff_t>(e) * 3 * m * m * m;
    // At each point, the other fields, by elements of their own spaces.
    std::vector<std::vector<field<T>>> there;
    for (input_field<T> const& input : inputs_) {
      space const own{input.nodes, space_.points, input.components};
      element<T> const of_input(own, mesh_nodes_, where, mass<T>());
      vector const values = slice(input.values, e, of_input.size());
      std::vector<field<T>> at_points;
      for (std::size_t q = 0; q < of_input.points().size(); ++q)
        at_points.push_back(of_input.at_point(values, static_cast<int>(q)));
      there.push_back(std::move(at_points));
    }
    return element<T>(space_, mesh_nodes_, where, [this, e, there](point<T> const& x, field<T> const& u) {
      std::vector<field<T>> here;
      for (auto const& at_points : there) here.push_back(at_points[static_cast<std::size_t>(x.number)]);
      if (here.empty()) here.resize(inputs_.size());
      return form_(e, x, u, here);
    });
  }

  space space_;
  rule mesh_nodes_;
  std::vector<double> coordinates_;
  data_integrand<T> form_;
  std::vector<input_field<T>> inputs_;
  int elements_ = 0;
};

}  // namespace reference
