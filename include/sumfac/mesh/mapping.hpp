// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The map from the reference element to the mesh as one quadrature point sees it: all that a form's setup may ask.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/math/detail/power_of_two.hpp>
#include <sumfac/mesh/maps/element_point.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET {

// One quadrature point of one element, or of as many elements as T has lanes.
//
// What is not stored is computed when asked for, so a form pays for what it uses. The Jacobian is kept over a power of
// two of its own size, so that products of its entries are numbers wherever what they are products for is one.
// Those that an operator hands to its form know their elements, as the mesh nodes have them, and their point:
//   element(lane)   the element in lane `lane`, 0 where it is left out; lanes behind the mesh's last element repeat it
//   point()         the indices {z, y, x} of the point
//   at(view)        the coefficient there, of a view (E) or (E, g, g, g), a T; of (E, K) or (E, g, g, g, K) a
//                   vector<T, K>. Views are members of the form, of any layout, in memory of whoever calls setup. On
//                   quadrilaterals they are (E, g, g), on lines (E, g), where K of (E, K) is a constant.
// Elements of fewer directions than the mesh has coordinates, as the faces of a boundary, have a pseudo-inverse in
// inverse()'s place, det() is their length or area per that of the reference element, and there is a normal.
// **Units** the reference element is [-1, 1]^Dim; position and Jacobian are in the unit of the mesh coordinates.
template <class T, int Dim = 3, int Coordinates = Dim>
class mapping : public detail::element_point<T, Dim> {
public:
  using value_type = T;
  static constexpr int dimension = Dim, coordinates = Coordinates;
  static constexpr bool is_flat = Dim == Coordinates;  // no surface, no curve
  using jacobian_type = matrix<T, Coordinates, Dim>;

  SUMFAC_INLINE constexpr mapping(jacobian_type const& jacobian, T const& weight,
                                  vector<T, Coordinates> const& position)
      : scale_(detail::scale_of(jacobian.entries, Coordinates * Dim)),
        jacobian_(jacobian * (static_cast<T>(1) / scale_)),
        position_(position),
        weight_(weight)
  {
  }
  // Of jacobian() over a power of two, the scale.
  SUMFAC_INLINE constexpr mapping(jacobian_type const& scaled_jacobian, T const& weight,
                                  vector<T, Coordinates> const& position, T const& scale,
                                  detail::point_place const& place = {})
      : detail::element_point<T, Dim>(place),
        scale_(scale),
        jacobian_(scaled_jacobian),
        position_(position),
        weight_(weight)
  {
  }

  // d x_r / d xi_c: row r is a coordinate, column c a reference direction.
  SUMFAC_INLINE constexpr jacobian_type jacobian() const { return scale_ * jacobian_; }
  // jacobian() over scale(), a power of two near the largest entries of the element's Jacobians. det() over its power
  // Dim is the determinant of this, and so on: what a form of a user's own makes of these does not leave the numbers.
  SUMFAC_INLINE constexpr jacobian_type const& scaled_jacobian() const { return jacobian_; }
  SUMFAC_INLINE constexpr T const& scale() const { return scale_; }

  // Volume of the mesh per volume of the reference element; positive on every mesh that an operator accepts.
  SUMFAC_INLINE constexpr T det() const
  {
    T const scaled = scaled_det();
    if constexpr (Dim == 1)
      return scaled * scale_;
    else if constexpr (Dim == 2)
      return (scaled * scale_) * scale_;
    else
      return (scaled * scale_) * (scale_ * scale_);
  }

  // det() over scale() to the power Dim.
  SUMFAC_INLINE constexpr T scaled_det() const
  {
    if constexpr (is_flat)
      return determinant(jacobian_);
    else if constexpr (std::is_floating_point_v<T>)
      return SUMFAC_OF_NUMBER(sqrt, gram_determinant());
    else
      return sqrt(gram_determinant());
  }

  // Along reference direction d, d x / d xi_d.
  SUMFAC_INLINE constexpr vector<T, Coordinates> tangent(int d) const
  {
    vector<T, Coordinates> t{};
    SUMFAC_UNROLL
    for (int c = 0; c < Coordinates; ++c) t[c] = scale_ * jacobian_(c, d);
    return t;
  }

  // Of an element of one direction less than there are coordinates, as long as det(): the cross product of a
  // quadrilateral's tangents; a line's tangent turned clockwise, which is outwards where it goes round anticlockwise.
  SUMFAC_INLINE constexpr vector<T, Coordinates> scaled_normal() const
    requires(Coordinates == Dim + 1)
  {
    return normal_over_scale() * (Dim == 1 ? scale_ : scale_ * scale_);
  }
  // The same of length 1.
  SUMFAC_INLINE constexpr vector<T, Coordinates> normal() const
    requires(Coordinates == Dim + 1)
  {
    return normal_over_scale() * (static_cast<T>(1) / scaled_det());
  }

  // det() times inverse(), without a division.
  SUMFAC_INLINE constexpr matrix<T, Dim> adjugate() const
    requires is_flat
  {
    if constexpr (Dim == 1)
      return sumfac::adjugate(jacobian_);
    else if constexpr (Dim == 2)
      return sumfac::adjugate(jacobian_) * scale_;
    else
      return sumfac::adjugate(jacobian_) * (scale_ * scale_);
  }

  // d xi_r / d x_c: the gradient in the mesh is transpose(inverse()) times the gradient in the reference element;
  // within surfaces and curves, where this is the pseudo-inverse.
  SUMFAC_INLINE constexpr matrix<T, Dim, Coordinates> inverse() const
  {
    if constexpr (is_flat)
      return sumfac::adjugate(jacobian_) * (static_cast<T>(1) / (determinant(jacobian_) * scale_));
    else
      return (gram_adjugate() * transpose(jacobian_)) * (static_cast<T>(1) / (gram_determinant() * scale_));
  }

  // Weight of the point in the rule: the product of the weights of its directions. weight() * det() is its volume.
  SUMFAC_INLINE constexpr T const& weight() const { return weight_; }

  // weight() * det(): the volume that the point stands for.
  SUMFAC_INLINE constexpr T measure() const { return weight_ * det(); }

  // w det J^-1 J^-T, symmetric: metric_times() as a matrix.
  SUMFAC_INLINE constexpr symmetric<T, Dim> metric() const
  {
    if constexpr (is_flat)
      return metric_of_volume();
    else
      return metric_of_surface();
  }

  // w det J^-1 J^-T times g, a gradient in the reference element: its dot product with another such gradient is that of
  // the two in the mesh, times measure(). Two products with the adjugate; the matrix itself is not formed.
  SUMFAC_INLINE constexpr vector<T, Dim> metric_times(vector<T, Dim> const& g) const
  {
    if constexpr (is_flat)
      return volume_metric_times(g);
    else
      return metric_of_surface() * g;
  }

  // Where the point lies in the mesh.
  SUMFAC_INLINE constexpr vector<T, Coordinates> const& position() const { return position_; }

private:
  // scaled_normal() over a power of the scale.
  SUMFAC_INLINE constexpr vector<T, Coordinates> normal_over_scale() const
  {
    if constexpr (Dim == 1)
      return {jacobian_(1, 0), -jacobian_(0, 0)};
    else
      return cross(vector<T, 3>{jacobian_(0, 0), jacobian_(1, 0), jacobian_(2, 0)},
                   vector<T, 3>{jacobian_(0, 1), jacobian_(1, 1), jacobian_(2, 1)});
  }

  SUMFAC_INLINE constexpr symmetric<T, Dim> metric_of_volume() const
  {
    auto const a = sumfac::adjugate(jacobian_);
    T const scale = metric_scale();
    symmetric<T, Dim> g{};
    SUMFAC_UNROLL
    for (int r = 0; r < Dim; ++r) {
      SUMFAC_UNROLL
      for (int c = r; c < Dim; ++c) {
        T sum = a(r, 0) * a(c, 0);
        SUMFAC_UNROLL
        for (int k = 1; k < Dim; ++k) sum = sum + a(r, k) * a(c, k);
        g(r, c) = scale * sum;
      }
    }
    return g;
  }

  SUMFAC_INLINE constexpr vector<T, Dim> volume_metric_times(vector<T, Dim> const& g) const
  {
    auto const a = sumfac::adjugate(jacobian_);
    vector<T, Dim> in_mesh{}, result{};
    SUMFAC_UNROLL
    for (int x = 0; x < Dim; ++x) {
      in_mesh[x] = a(0, x) * g[0];
      SUMFAC_UNROLL
      for (int d = 1; d < Dim; ++d) in_mesh[x] = fma(a(d, x), g[d], in_mesh[x]);
    }
    in_mesh *= metric_scale();  // before the second product, which would be one of four lengths
    SUMFAC_UNROLL
    for (int d = 0; d < Dim; ++d) {
      result[d] = a(d, 0) * in_mesh[0];
      SUMFAC_UNROLL
      for (int x = 1; x < Dim; ++x) result[d] = fma(a(d, x), in_mesh[x], result[d]);
    }
    return result;
  }

  // Of J^T J, over powers of the scale.
  SUMFAC_INLINE constexpr matrix<T, Dim> gram_adjugate() const
  {
    return sumfac::adjugate(transpose(jacobian_) * jacobian_);
  }
  SUMFAC_INLINE constexpr T gram_determinant() const
  {
    if constexpr (Coordinates == 3 && Dim == 2) {  // which is exact where the tangents are parallel to two axes
      vector<T, 3> const n = normal_over_scale();
      return dot(n, n);
    } else {
      return determinant(transpose(jacobian_) * jacobian_);
    }
  }
  // w sqrt(det J^T J) (J^T J)^-1, which is the adjugate of J^T J over that root.
  SUMFAC_INLINE constexpr symmetric<T, Dim> metric_of_surface() const
  {
    auto const a = gram_adjugate();
    T const det = scaled_det();
    T const scale = Dim == 1 ? (weight_ / scale_) / det : weight_ / det;
    symmetric<T, Dim> g{};
    SUMFAC_UNROLL
    for (int r = 0; r < Dim; ++r) {
      SUMFAC_UNROLL
      for (int c = r; c < Dim; ++c) g(r, c) = scale * a(r, c);
    }
    return g;
  }

  // w over the determinant of the scaled Jacobian, times what the metric grows by with the element: scale^(Dim - 2).
  SUMFAC_INLINE constexpr T metric_scale() const
  {
    T const det = determinant(jacobian_);
    if constexpr (Dim == 1)
      return (weight_ / scale_) / det;
    else if constexpr (Dim == 2)
      return weight_ / det;
    else
      return (weight_ * scale_) / det;
  }

  T scale_;
  jacobian_type jacobian_;
  vector<T, Coordinates> position_;
  T weight_;
};

}  // namespace sumfac
