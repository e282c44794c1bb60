// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The map from the reference element to the mesh as one quadrature point sees it: all that a form's setup may ask.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/config.hpp>
#include <sumfac/math/pack.hpp>
#include <sumfac/math/small.hpp>

namespace sumfac::inline SUMFAC_TARGET {

// One quadrature point of one element, or of as many elements as T has lanes.
//
// What is not stored is computed when asked for, so a form pays for what it uses.
// **Units** the reference element is [-1, 1]^Dim; position and Jacobian are in the unit of the mesh coordinates.
template <class T, int Dim = 3>
class mapping {
public:
  using value_type = T;
  static constexpr int dimension = Dim;

  SUMFAC_INLINE constexpr mapping(matrix<T, Dim> const& jacobian, T const& weight, vector<T, Dim> const& position)
      : jacobian_(jacobian), position_(position), weight_(weight)
  {
  }

  // d x_r / d xi_c: row r is a coordinate, column c a reference direction.
  SUMFAC_INLINE constexpr matrix<T, Dim> const& jacobian() const { return jacobian_; }

  // Volume of the mesh per volume of the reference element; positive on every mesh that an operator accepts.
  SUMFAC_INLINE constexpr T det() const { return determinant(jacobian_); }

  // det() times inverse(), without a division.
  SUMFAC_INLINE constexpr matrix<T, Dim> adjugate() const { return sumfac::adjugate(jacobian_); }

  // d xi_r / d x_c: the gradient in the mesh is transpose(inverse()) times the gradient in the reference element.
  SUMFAC_INLINE constexpr matrix<T, Dim> inverse() const { return sumfac::inverse(jacobian_); }

  // Weight of the point in the rule: the product of the weights of its directions. weight() * det() is its volume.
  SUMFAC_INLINE constexpr T const& weight() const { return weight_; }

  // weight() * det(): the volume that the point stands for.
  SUMFAC_INLINE constexpr T measure() const { return weight_ * det(); }

  // w det J^-1 J^-T times g, a gradient in the reference element: its dot product with another such gradient is that of
  // the two in the mesh, times measure(). Two products with the adjugate; the matrix itself is not formed.
  SUMFAC_INLINE constexpr vector<T, Dim> metric_times(vector<T, Dim> const& g) const
  {
    auto const a = adjugate();
    vector<T, Dim> in_mesh{}, result{};
    SUMFAC_UNROLL
    for (int x = 0; x < Dim; ++x) {
      in_mesh[x] = a(0, x) * g[0];
      SUMFAC_UNROLL
      for (int d = 1; d < Dim; ++d) in_mesh[x] = fma(a(d, x), g[d], in_mesh[x]);
    }
    T const scale = weight_ / det();
    SUMFAC_UNROLL
    for (int d = 0; d < Dim; ++d) {
      T sum = a(d, 0) * in_mesh[0];
      SUMFAC_UNROLL
      for (int x = 1; x < Dim; ++x) sum = fma(a(d, x), in_mesh[x], sum);
      result[d] = scale * sum;
    }
    return result;
  }

  // Where the point lies in the mesh.
  SUMFAC_INLINE constexpr vector<T, Dim> const& position() const { return position_; }

private:
  matrix<T, Dim> jacobian_;
  vector<T, Dim> position_;
  T weight_;
};

}  // namespace sumfac
