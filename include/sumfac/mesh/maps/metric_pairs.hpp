// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The metric of an element with straight edges along a line of points in pairs t, -t, as devices make it; and on all
// lines of a plane, which share most of their making.
#pragma once

#include <sumfac/mesh/maps/point_places.hpp>
#include <sumfac/mesh/maps/trilinear_map.hpp>

#include <cstddef>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// 1 / x; on CUDA devices to two units in the last place, of x and 1 / x that are normal numbers.
//
// A division in double is 8 instructions of the unit for doubles and a branch to a subroutine, which no other point's
// arithmetic is moved across. This is 3 behind the approximation of 20 bits: the error e of x0 is x x0 = 1 - e, and
// x0 (1 + e + e^2) is off by e^3.
template <class T>
SUMFAC_INLINE T reciprocal(T const& x)
{
#if SUMFAC_ON_CUDA
  if constexpr (std::is_same_v<T, double>) {
    double y;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    double const e = __fma_rn(-x, y, 1.0);
    return __fma_rn(y, __fma_rn(e, e, e), y);
  } else if constexpr (std::is_same_v<T, float>) {
    float y;
    asm("rcp.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
  } else {
    return static_cast<T>(1) / x;
  }
#else
  return static_cast<T>(1) / x;
#endif
}

// Places and weights of a rule's points, and the squares of places, in an object that travels with a device's kernel.
template <class Scalar, class Points>
struct squared_places : point_places<Scalar, Points> {
  static constexpr bool paired = is_symmetric_rule<Points>;

  Scalar squares[Points::size];

  constexpr squared_places() : squares{}
  {
    for (std::size_t i = 0; i < std::size_t{Points::size}; ++i)
      squares[i] = static_cast<Scalar>(Points::nodes[i] * Points::nodes[i]);
  }
};

// What metric_line computes, where arithmetic in doubles is what a kernel waits for: devices'.
//
// Two points t, -t of a symmetric rule share the even parts of polynomials and one reciprocal, that of the product of
// what both divide by; the point in the middle is where every polynomial is its constant. That is e = w det J / t.t,
// the line's weight w in it, of the order of the element's size, so that the product of two is a number where measures
// are, its size to the third. Of a map over a power of two, which is then the size, the metric is that of the element.
// **Work** 190 flops a line, 36 a point.
template <class T, int Direction, class Size = own_size>
class paired_metric_line {
  static constexpr bool has_size = !std::is_same_v<Size, own_size>;

public:
  using scalar = scalar_of<T>;
  static constexpr int along = Direction, next = (Direction + 1) % 3, last = (Direction + 2) % 3;

  // The polynomials at a point, and what the fluxes are scaled by.
  class point {
  public:
    SUMFAC_INLINE T measure() const { return weighted_ * square_; }

    SUMFAC_INLINE vector<T, 3> metric_times(vector<T, 3> const& g) const
    {
      T const g_next = fnma(shear_next_, g[along], g[next]), g_last = fnma(shear_last_, g[along], g[last]);
      vector<T, 3> flux{};
      flux[next] = scale_ * fnma(next_last_, g_last, last_last_ * g_next);
      flux[last] = scale_ * fnma(next_last_, g_next, next_next_ * g_last);
      flux[along] = fnma(shear_next_, flux[next], fnma(shear_last_, flux[last], sized_ * g[along]));
      return flux;
    }

  private:
    friend class paired_metric_line;
    T shear_next_, shear_last_, next_next_, next_last_, last_last_;
    T weighted_, sized_, scale_;  // e with all weights, with the size, too; of the fluxes across
    T square_;
  };

  SUMFAC_INLINE paired_metric_line(trilinear_map<T> const& x, scalar p, scalar r, scalar weight, Size const& size = {})
      : paired_metric_line(trilinear_line<T, Direction>(x, p, r), weight, size)
  {
  }

  SUMFAC_INLINE paired_metric_line(trilinear_line<T, Direction> const& x, scalar weight, Size const& size = {})
      : size_(size), square_weight_(weight * weight)
  {
    auto const& t = x.tangent();
    square_ = dot(t, t);
    vector<T, 3> const dual = reciprocal(square_) * t, weighted = weight * dual;
    auto const &b0 = x.in_next(0), &b1 = x.in_next(1), &c0 = x.in_last(0), &c1 = x.in_last(1);
    vector<T, 3> const area = cross(weighted, b0), change = cross(weighted, b1);
    over_square_ = {dot(area, c0), dot_onto(dot(change, c0), area, c1), dot(change, c1)};
    shear_next_ = {dot(dual, b0), dot(dual, b1)};
    shear_last_ = {dot(dual, c0), dot(dual, c1)};
    vector<T, 3> const b[2] = {without(b0, shear_next_.c0, t), without(b1, shear_next_.c1, t)};
    vector<T, 3> const c[2] = {without(c0, shear_last_.c0, t), without(c1, shear_last_.c1, t)};
    T const bb = dot(b[0], b[1]), cc = dot(c[0], c[1]);
    next_next_ = {dot(b[0], b[0]), bb + bb, dot(b[1], b[1])};
    next_last_ = {dot(b[0], c[0]), dot_onto(dot(b[0], c[1]), b[1], c[0]), dot(b[1], c[1])};
    last_last_ = {dot(c[0], c[0]), cc + cc, dot(c[1], c[1])};
  }

  // Point i of the rule whose places these are.
  template <class Places>
  SUMFAC_INLINE point at(Places const& places, int i) const
  {
    if constexpr (Places::paired) {
      int const opposite = Places::size - 1 - i, first = i < opposite ? i : opposite;
      if (i == opposite) return in_the_middle(places.weights[i]);
      return of_pair(places.nodes[first], places.squares[first], places.weights[first], i != first);
    } else {
      scalar const t = places.nodes[i], tt = places.squares[i], weight = places.weights[i];
      auto const polynomial = [&](quadratic<T> const& q) SUMFAC_LAMBDA { return fma(t, q.c1, fma(tt, q.c2, q.c0)); };
      point x = at_place(t, polynomial);
      set_scales(x, weight, polynomial(over_square_));
      x.scale_ = (square_weight_ * sized(weight)) * reciprocal(polynomial(over_square_));
      return x;
    }
  }

private:
  // The point at t, or the one at -t.
  SUMFAC_INLINE point of_pair(scalar t, scalar tt, scalar weight, bool second) const
  {
    auto const polynomial = [&](quadratic<T> const& q) SUMFAC_LAMBDA {
      T const even = fma(tt, q.c2, q.c0);
      return second ? fnma(t, q.c1, even) : fma(t, q.c1, even);
    };
    point x = at_place(second ? -t : t, polynomial);
    T const even = fma(tt, over_square_.c2, over_square_.c0);
    T const at_first = fma(t, over_square_.c1, even), at_second = fnma(t, over_square_.c1, even);
    set_scales(x, weight, second ? at_second : at_first);
    T const of_both = square_weight_ * reciprocal(at_first * at_second);
    x.scale_ = of_both * (sized(weight) * (second ? at_first : at_second));
    return x;
  }
  SUMFAC_INLINE point in_the_middle(scalar weight) const
  {
    point x{};
    x.shear_next_ = shear_next_.c0, x.shear_last_ = shear_last_.c0;
    x.next_next_ = next_next_.c0, x.next_last_ = next_last_.c0, x.last_last_ = last_last_.c0;
    set_scales(x, weight, over_square_.c0);
    x.scale_ = (square_weight_ * sized(weight)) * reciprocal(over_square_.c0);
    return x;
  }

  template <class Polynomial>
  SUMFAC_INLINE point at_place(scalar t, Polynomial const& polynomial) const
  {
    point x{};
    x.shear_next_ = shear_next_(t), x.shear_last_ = shear_last_(t);
    x.next_next_ = polynomial(next_next_);
    x.next_last_ = polynomial(next_last_);
    x.last_last_ = polynomial(last_last_);
    return x;
  }
  SUMFAC_INLINE void set_scales(point& x, scalar weight, T const& over_square) const
  {
    x.weighted_ = weight * over_square;
    x.sized_ = sized(weight) * over_square;
    x.square_ = square_;
  }
  SUMFAC_INLINE auto sized(scalar weight) const
  {
    if constexpr (has_size)
      return weight * size_;
    else
      return weight;
  }

  SUMFAC_INLINE static T dot_onto(T const& sum, vector<T, 3> const& a, vector<T, 3> const& b)
  {
    return fma(a[0], b[0], fma(a[1], b[1], fma(a[2], b[2], sum)));
  }
  SUMFAC_INLINE static vector<T, 3> without(vector<T, 3> const& b, T const& part, vector<T, 3> const& t)
  {
    return {fnma(part, t[0], b[0]), fnma(part, t[1], b[1]), fnma(part, t[2], b[2])};
  }

  SUMFAC_NO_UNIQUE_ADDRESS Size size_;
  scalar square_weight_;
  T square_;
  linear<T> shear_next_, shear_last_;
  quadratic<T> next_next_, next_last_, last_last_, over_square_;
};

// The lines in direction Direction at one coordinate r in the last direction, made one by one at their coordinate p in
// the next: products of the Jacobian's columns and its determinant are polynomials of degree 2 in p and in xi, the
// coordinate along the lines.
//
// The columns are t = t0 + p s, b = b0 + xi s and c = c00 + xi c10 + p c01 + xi p c11.
// **Work** 231 flops; 66 a line, where metric_line alone takes 195.
template <class T, int Direction>
class metric_plane {
public:
  using scalar = scalar_of<T>;
  static constexpr int along = Direction, next = (Direction + 1) % 3, last = (Direction + 2) % 3;

  SUMFAC_INLINE metric_plane(trilinear_map<T> const& x, scalar r)
  {
    constexpr int d = 1 << along, n = 1 << next, l = 1 << last;
    vector<T, 3> const t0 = at(r, x.term[d], x.term[d | l]), s = at(r, x.term[d | n], x.term[d | n | l]);
    vector<T, 3> const b0 = at(r, x.term[n], x.term[n | l]);
    auto const &c00 = x.term[l], &c01 = x.term[n | l], &c10 = x.term[d | l], &c11 = x.term[d | n | l];

    T const ss = dot(s, s), st = dot(s, t0), sb = dot(s, b0);
    tt_ = {dot(t0, t0), st + st, ss};
    bb_ = {dot(b0, b0), sb + sb, ss};
    tb_[0] = {dot(t0, b0), sb};
    tb_[1] = {st, ss};
    T const s00 = dot(s, c00), s01 = dot(s, c01), s10 = dot(s, c10), s11 = dot(s, c11);
    tc_[0] = {dot(t0, c00), dot(t0, c01) + s00, s01};
    tc_[1] = {dot(t0, c10), dot(t0, c11) + s10, s11};
    bc_[0] = {dot(b0, c00), dot(b0, c01)};
    bc_[1] = {dot(b0, c10) + s00, dot(b0, c11) + s01};
    bc_[2] = {s10, s11};
    T const c00_01 = dot(c00, c01), c00_10 = dot(c00, c10), c01_11 = dot(c01, c11), c10_11 = dot(c10, c11);
    T const mixed = dot(c00, c11) + dot(c01, c10);
    cc_[0] = {dot(c00, c00), c00_01 + c00_01, dot(c01, c01)};
    cc_[1] = {c00_10 + c00_10, mixed + mixed, c01_11 + c01_11};
    cc_[2] = {dot(c10, c10), c10_11 + c10_11, dot(c11, c11)};
    vector<T, 3> const area = cross(t0, b0), in_xi = cross(t0, s), in_p = cross(s, b0);
    det_[0] = {dot(area, c00), dot(area, c01) + dot(in_p, c00), dot(in_p, c01)};
    det_[1] = {dot(area, c10) + dot(in_xi, c00), dot(area, c11) + dot(in_xi, c01) + dot(in_p, c10), dot(in_p, c11)};
    last_det_ = {dot(in_xi, c10), dot(in_xi, c11)};
  }

  // The line at p, whose weight in the other two directions is `weight`.
  template <class Size = own_size>
  SUMFAC_INLINE metric_line<T, Direction, Size> line(scalar p, scalar weight, Size const& size = {}) const
  {
    column_products<T> x;
    if constexpr (std::is_same_v<Size, own_size>)
      x.det = {weight * det_[0](p), weight * det_[1](p), weight * last_det_(p)};
    else
      x.det = {det_[0](p), det_[1](p), last_det_(p)};
    x.tt = tt_(p);
    x.tb = {tb_[0](p), tb_[1](p)};
    x.tc = {tc_[0](p), tc_[1](p)};
    x.bb = bb_;
    x.bc = {bc_[0](p), bc_[1](p), bc_[2](p)};
    x.cc = {cc_[0](p), cc_[1](p), cc_[2](p)};
    return {x, weight, size};
  }

private:
  SUMFAC_INLINE static vector<T, 3> at(scalar r, vector<T, 3> const& x0, vector<T, 3> const& x1)
  {
    return {fma(r, x1[0], x0[0]), fma(r, x1[1], x0[1]), fma(r, x1[2], x0[2])};
  }

  // Polynomials in p, arrays by the power of xi; bb is one in xi.
  quadratic<T> tt_, bb_, tc_[2], cc_[3], det_[2];
  linear<T> tb_[2], bc_[3], last_det_;
};

}  // namespace sumfac::detail
