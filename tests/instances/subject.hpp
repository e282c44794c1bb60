// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A row of the table on a mesh that it allows, with its inputs and the oracle: what properties look at.
#pragma once

#include "any_operator.hpp"

#include <support/tolerance.hpp>

#include <catch2/catch.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace instances {

// Elements that the row's geometry allows, with m nodes on an edge, away from 0, so that coefficients are sums of
// positive terms. No element is like its neighbour.
elements mesh_for(traits const& about, int count, int m);

// Random numbers that are exact in float: from -1 to 1; from 1 to 2, for what is divided by, or reads as a coefficient.
vector random_vector(std::size_t size, unsigned seed);
vector random_from_1_to_2(std::size_t size, unsigned seed);

// Entries of an element's function.
std::size_t entries(traits const& about, reference::function_space const& space);

// A numbering in which elements share nodes, no element has a node twice, and nodes lie in no order; about one entry in
// `every` is constrained, none where it is 0.
numbering numbered(traits const& about, reference::function_space const& space, int elements, int every, unsigned seed);

double greatest(vector const& x);
double dot(vector const& x, vector const& y);

class subject {
public:
  subject(instance const& row, elements const& on, int threads = 0);
  subject(instance const& row, int elements, int m = 3) : subject(row, mesh_for(row.about, elements, m)) {}

  any_operator& a() const { return *a_; }
  traits const& about() const { return about_; }
  elements const& mesh() const { return mesh_; }
  std::vector<vector> const& inputs() const { return inputs_; }
  std::size_t trial_size() const { return count() * entries(about_, about_.trial); }
  std::size_t test_size() const { return count() * entries(about_, about_.test); }
  // Random u, as the form takes it.
  vector u(unsigned seed = 1) const;

  exact_element exact(int e) const;
  // The oracle's sums, and how far from them rounding may be.
  exact_element::sums sums(int e) const;
  double tolerance() const;
  // What rounding may do to A u of element e; the greatest entry.
  double allowed(int e, vector const& u, exact_element::sums const& of) const;

  // v = A u, or A^T u, on element e as far as rounding goes.
  void compare(char const* what, int e, vector const& u, vector const& v, bool transposed = false) const;

  static vector part(vector const& x, int e, std::size_t size);

private:
  std::size_t count() const { return static_cast<std::size_t>(mesh_.count); }

  traits const& about_;
  std::unique_ptr<any_operator> a_;
  elements mesh_;
  std::vector<vector> inputs_;
};

// A property of all rows that fit: it is known by its name where the whole table is at hand, and counts them there.
struct property {
  std::string name;
  std::function<bool(traits const&)> fits;

  property(std::string const& of_name, std::function<bool(traits const&)> const& predicate);
  void check(std::function<void(instance const&)> const& body) const;
};
std::vector<property const*>& properties();

}  // namespace instances
