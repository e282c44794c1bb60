// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The map of the element behind a face as one quadrature point of the face sees it.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/math/detail/power_of_two.hpp>
#include <sumfac/math/small.hpp>

namespace sumfac::SUMFAC_TARGET {

// One quadrature point of one face, as the element on one side of it sees it: all that setup of a form for a
// face_operator may ask, and of a form for an interior_operator of either side.
//
// The element is turned so that the face is where its last reference coordinate is 1; gradients of functions are those
// of this turned element, which may be its mirror image. What is not stored is computed when asked for. The Jacobian is
// kept over a power of two of its own size, so that products of its entries are numbers wherever what they are products
// for is one.
// **Units** the reference element is [-1, 1]^Dim; position and Jacobian are in the unit of the mesh coordinates.
template <class T, int Dim = 3>
class face_mapping {
public:
  using value_type = T;
  static constexpr int dimension = Dim, coordinates = Dim;

  // `weight` is that of the point in the face's rule; `face`, `point` and `element` say which they are; `handed` is -1
  // where the turned element is a mirror image.
  SUMFAC_INLINE constexpr face_mapping(matrix<T, Dim> const& jacobian, T const& weight, vector<T, Dim> const& position,
                                       index_t face, int point, index_t element, T const& handed = T(1))
      : face_mapping(detail::scale_of(jacobian.entries, Dim * Dim), jacobian, weight, position, face, point, element,
                     handed)
  {
  }

  // Of the element: d x_r / d xi_c, its determinant, which is positive for mirror images, too, d xi_r / d x_c, and that
  // times the determinant.
  SUMFAC_INLINE constexpr matrix<T, Dim> jacobian() const { return scale_ * jacobian_; }
  SUMFAC_INLINE constexpr T det() const { return scaled_det() * scale_ * areas_scale(); }
  SUMFAC_INLINE constexpr matrix<T, Dim> inverse() const
  {
    return sumfac::inverse(jacobian_) * (static_cast<T>(1) / scale_);
  }
  SUMFAC_INLINE constexpr matrix<T, Dim> adjugate() const
  {
    return sumfac::adjugate(jacobian_) * (handed_ * areas_scale());
  }
  // jacobian() over scale(), a power of two near its largest entry, and the determinant of this: for forms whose own
  // products are to be numbers for elements of any size.
  SUMFAC_INLINE constexpr matrix<T, Dim> const& scaled_jacobian() const { return jacobian_; }
  SUMFAC_INLINE constexpr T const& scale() const { return scale_; }
  SUMFAC_INLINE constexpr T scaled_det() const { return handed_ * determinant(jacobian_); }

  // Out of the element, as long as the face's area, or length, per that of its reference element; 1 at ends of lines.
  SUMFAC_INLINE constexpr vector<T, Dim> scaled_normal() const { return normal_over_scale() * areas_scale(); }
  // The same of length 1.
  SUMFAC_INLINE constexpr vector<T, Dim> normal() const
  {
    return normal_over_scale() * (static_cast<T>(1) / area_over_scale());
  }

  // The area, or length, that the point stands for; 1 where it is the face.
  SUMFAC_INLINE constexpr T measure() const { return weight_ * area_over_scale() * areas_scale(); }
  SUMFAC_INLINE constexpr T const& weight() const { return weight_; }

  // Its dot product with a gradient in the reference element is the derivative along the normal.
  SUMFAC_INLINE constexpr vector<T, Dim> normal_derivative() const { return inverse() * normal(); }

  // How far the element reaches behind the face, along the normal: exact where its map is affine. What the penalty of
  // Nitsche's method is divided by.
  SUMFAC_INLINE constexpr T height() const { return static_cast<T>(2) * (scaled_det() / area_over_scale()) * scale_; }

  // Where the point lies in the mesh.
  SUMFAC_INLINE constexpr vector<T, Dim> const& position() const { return position_; }
  // Which face of the operator's, and which point of it, x fastest: to read numbers of one's own by.
  SUMFAC_INLINE constexpr index_t face() const { return face_; }
  SUMFAC_INLINE constexpr int point() const { return point_; }
  // Which element of the mesh: on the boundary, whose elements are those of its faces, as face(). -1 is none, beyond
  // the boundary: what is there is an image of the element before it, whose last direction is turned back.
  SUMFAC_INLINE constexpr index_t element() const { return element_; }

private:
  SUMFAC_INLINE constexpr face_mapping(T const& scale, matrix<T, Dim> const& jacobian, T const& weight,
                                       vector<T, Dim> const& position, index_t face, int point, index_t element,
                                       T const& handed)
      : scale_(scale),
        jacobian_(jacobian * (static_cast<T>(1) / scale)),
        position_(position),
        weight_(weight),
        face_(face),
        element_(element),
        point_(point),
        handed_(handed)
  {
  }

  // What areas grow by with the element, or lengths; points are as large as they were.
  SUMFAC_INLINE constexpr T areas_scale() const
  {
    return Dim == 3 ? scale_ * scale_ : Dim == 2 ? scale_ : static_cast<T>(1);
  }
  SUMFAC_INLINE constexpr vector<T, Dim> normal_over_scale() const
  {
    auto const a = sumfac::adjugate(jacobian_);
    vector<T, Dim> n{};
    SUMFAC_UNROLL
    for (int c = 0; c < Dim; ++c) n[c] = handed_ * a(Dim - 1, c);
    return n;
  }
  SUMFAC_INLINE constexpr T area_over_scale() const
  {
    auto const n = normal_over_scale();
    return SUMFAC_OF_NUMBER(sqrt, dot(n, n));
  }

  T scale_;
  matrix<T, Dim> jacobian_;
  vector<T, Dim> position_;
  T weight_;
  index_t face_, element_;
  int point_;
  T handed_;
};

}  // namespace sumfac
