// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A basis as numbers at the points of a rule: that of any element, of the user's own or of another library.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/error.hpp>
#include <sumfac/view/view.hpp>

#include <cstddef>

namespace sumfac::SUMFAC_TARGET {

// P functions at Q points of a reference element of D directions, which nobody but the user knows, with the weights of
// the rule there; and the functions that the mesh's maps are made of, where these are others.
//
// element_operator<laplace, tabulated(10, 14, 3)> A{backend, nodes, basis};
//
// Where the sizes are known at run time alone, the operator is of one type for all bases:
//
// element_operator<laplace, tabulated(dynamic, dynamic, 3)> A{backend, nodes, basis};
// **Shapes** values (Q, P), gradients (Q, P, D), weights (Q): views of any layout in the host's memory, copied. Mesh
// nodes are (E, P, C), or (E, M, C) with mesh_values (Q, M) and mesh_gradients (Q, M, D): what the functions are
// multiplied by, so that a map is their sum.
// **Errors** argument_error for extents that do not fit, null, and numbers that are not finite.
class tabulated_basis {
public:
  template <class Values, class Gradients, class Weights>
  tabulated_basis(Values const& values, Gradients const& gradients, Weights const& weights)
      : functions_(values, gradients), map_(functions_)
  {
    take(weights);
  }
  template <class Values, class Gradients, class Weights, class MeshValues, class MeshGradients>
  tabulated_basis(Values const& values, Gradients const& gradients, Weights const& weights,
                  MeshValues const& mesh_values, MeshGradients const& mesh_gradients)
      : functions_(values, gradients), map_(mesh_values, mesh_gradients)
  {
    check_equal("tabulated_basis", "number of points of the mesh's functions", functions_.points, map_.points);
    check_equal("tabulated_basis", "number of directions of the mesh's functions", functions_.directions,
                map_.directions);
    take(weights);
  }

  int points() const { return functions_.points; }
  int directions() const { return functions_.directions; }
  int functions() const { return functions_.count; }
  int mesh_functions() const { return map_.count; }
  double weight(int q) const { return weights_[static_cast<std::size_t>(q)]; }
  // A function at a point: its value where d = -1, else its derivative along direction d.
  double at(int q, int p, int d) const { return functions_.at(q, p, d); }
  double of_mesh(int q, int p, int d) const { return map_.at(q, p, d); }

private:
  struct numbers {
    int points, count, directions;
    detail::own_vector<double> entries;  // (Q, P, 1 + D)

    template <class Values, class Gradients>
    numbers(Values const& values, Gradients const& gradients)
        : points(static_cast<int>(values.extent(0))),
          count(static_cast<int>(values.extent(1))),
          directions(static_cast<int>(gradients.extent(2)))
    {
      static_assert(Values::rank() == 2 && Gradients::rank() == 3,
                    "sumfac::tabulated_basis: values are a view (Q, P) and gradients a view (Q, P, D)");
      constexpr auto here = "tabulated_basis";
      if (points < 1 || count < 1)
        failf(here, "there are no functions at points (%d functions at %d points, at least 1 at 1 expected)", count,
              points);
      check_equal(here, "extent 0 (points) of gradients", points, gradients.extent(0));
      check_equal(here, "extent 1 (functions) of gradients", count, gradients.extent(1));
      check_data(here, "view of values", values.data(), values.size());
      check_data(here, "view of gradients", gradients.data(), gradients.size());
      for (int q = 0; q < points; ++q)
        for (int p = 0; p < count; ++p) {
          push(values(q, p), q, p);
          for (int d = 0; d < directions; ++d) push(gradients(q, p, d), q, p);
        }
    }
    void push(double x, int q, int p)
    {
      if (x - x != 0) failf("tabulated_basis", "a number is not finite (point %d, function %d: got %g)", q, p, x);
      entries.push_back(x);
    }
    double at(int q, int p, int d) const
    {
      return entries[static_cast<std::size_t>((q * count + p) * (1 + directions) + 1 + d)];
    }
  };

  template <class Weights>
  void take(Weights const& weights)
  {
    static_assert(Weights::rank() == 1, "sumfac::tabulated_basis: weights are a view (Q)");
    check_equal("tabulated_basis", "extent 0 (points) of weights", points(), weights.extent(0));
    check_data("tabulated_basis", "view of weights", weights.data(), weights.extent(0));
    for (int q = 0; q < points(); ++q) {
      if (weights(q) - weights(q) != 0)
        failf("tabulated_basis", "a weight is not finite (point %d: got %g)", q, static_cast<double>(weights(q)));
      weights_.push_back(weights(q));
    }
  }

  numbers functions_, map_;
  detail::own_vector<double> weights_;
};

// The space of P functions that are given as such tables, at Q points, on elements of so many directions in as many
// coordinates, or more. The tables follow where an operator is made; both P and Q may be `dynamic`: as many as they
// have.
SUMFAC_FUNCTION constexpr space tabulated(int functions, int points, int directions, int coordinates = 0)
{
  return {1,
          directions,
          coordinates,
          node_placement::gauss_lobatto,
          nullptr,
          function_family::nodal,
          cell_shape::tables,
          functions,
          points};
}

namespace detail {

// Stands for the rule of such a space.
template <int Size>
struct given_points {
  static constexpr int size = Size;
};

}  // namespace detail

}  // namespace sumfac
