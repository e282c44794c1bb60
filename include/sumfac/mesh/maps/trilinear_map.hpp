// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The map of an element with straight edges, evaluated along lines of points, also over a power of two of the element's
// size, by which products are numbers for elements of any size.
#pragma once

#include <sumfac/mesh/mapping.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// x(xi, eta, zeta) = sum over b of term[b] times the product of those of xi, eta, zeta whose bits 1, 2, 4 b has.
template <class T>
struct trilinear_map {
  using value_type = T;
  static constexpr int count = 24;

  vector<T, 3> term[8];

  SUMFAC_FUNCTION static trilinear_map of(trilinear_map const& x) { return x; }
};

// The map along one line of points in direction Direction (0, 1, 2 for x, y, z): one column of the Jacobian is the same
// at all of its points, the other two are linear.
//
// `p` and `r` are the coordinates of the line in the next two directions, cyclically, which keeps the handedness;
// places along the line are called t.
// **Work** 48 flops.
template <class T, int Direction>
class trilinear_line {
public:
  using scalar = scalar_of<T>;
  static constexpr int along = Direction, next = (Direction + 1) % 3, last = (Direction + 2) % 3;

  SUMFAC_INLINE trilinear_line(trilinear_map<T> const& x, scalar p, scalar r)
  {
    constexpr int d = 1 << along, n = 1 << next, l = 1 << last;
    SUMFAC_UNROLL
    for (int c = 0; c < 3; ++c) {
      auto const term = [&](int bits) SUMFAC_LAMBDA { return x.term[bits][c]; };
      next_[0][c] = fma(r, term(n | l), term(n));
      next_[1][c] = fma(r, term(d | n | l), term(d | n));
      last_[0][c] = fma(p, term(n | l), term(l));
      last_[1][c] = fma(p, term(d | n | l), term(d | l));
      along_[c] = fma(p, next_[1][c], fma(r, term(d | l), term(d)));
    }
  }

  // d x / d(along), everywhere on the line.
  SUMFAC_INLINE vector<T, 3> const& tangent() const { return along_; }
  // d x / d(next) and d x / d(last): parts [0] + t [1].
  SUMFAC_INLINE vector<T, 3> const& in_next(int power) const { return next_[power]; }
  SUMFAC_INLINE vector<T, 3> const& in_last(int power) const { return last_[power]; }

private:
  vector<T, 3> along_, next_[2], last_[2];
};

// The same with the weight of the line in the other two directions: its points know their mapping. The terms are over
// a scale, but for the constant one.
template <class T, int Direction>
class mapping_line {
public:
  using scalar = scalar_of<T>;

  static constexpr int along = Direction, next = (Direction + 1) % 3, last = (Direction + 2) % 3;

  struct point {
    mapping_line const& line;
    scalar t, weight;
    SUMFAC_INLINE mapping<T> map() const { return line.map(t, weight); }
  };

  SUMFAC_INLINE mapping_line(trilinear_map<T> const& x, T const& scale, scalar p, scalar r, scalar weight)
      : line_(x, p, r), step_(scale * line_.tangent()), scale_(scale), weight_(weight)
  {
    SUMFAC_UNROLL
    for (int c = 0; c < 3; ++c)
      origin_[c] = fma(scale, fma(p, line_.in_next(0)[c], r * x.term[1 << last][c]), x.term[0][c]);
  }

  SUMFAC_INLINE point at(scalar t, scalar weight) const { return {*this, t, weight * weight_}; }

private:
  SUMFAC_INLINE mapping<T> map(scalar t, scalar weight) const
  {
    matrix<T, 3> jacobian{};
    vector<T, 3> position{};
    SUMFAC_UNROLL
    for (int c = 0; c < 3; ++c) {
      jacobian(c, along) = line_.tangent()[c];
      jacobian(c, next) = fma(t, line_.in_next(1)[c], line_.in_next(0)[c]);
      jacobian(c, last) = fma(t, line_.in_last(1)[c], line_.in_last(0)[c]);
      position[c] = fma(t, step_[c], origin_[c]);
    }
    return {jacobian, static_cast<T>(weight), position, scale_};
  }

  trilinear_line<T, Direction> line_;
  vector<T, 3> step_, origin_;
  T scale_;
  scalar weight_;
};

// A polynomial of degree 2 along a line.
template <class T>
struct quadratic {
  T c0, c1, c2;

  // Two places t, -t share their even part.
  SUMFAC_INLINE T operator()(scalar_of<T> t) const { return fma(t, c1, fma(t * t, c2, c0)); }
};

template <class T>
struct linear {
  T c0, c1;
  SUMFAC_INLINE T operator()(scalar_of<T> t) const { return fma(t, c1, c0); }
};

// The determinant along a line, times a weight: that of the line in the other two directions, or 1.
//
// **Work** 68 flops; 5 a point.
template <class T, int Direction>
class measure_line {
public:
  using scalar = scalar_of<T>;

  struct point {
    T weighted_det;
    SUMFAC_INLINE T measure() const { return weighted_det; }
  };

  measure_line() = default;
  explicit SUMFAC_INLINE measure_line(quadratic<T> const& weighted_det) : det_(weighted_det) {}
  SUMFAC_INLINE measure_line(trilinear_map<T> const& x, scalar p, scalar r, scalar weight)
      : measure_line(trilinear_line<T, Direction>(x, p, r), weight)
  {
  }
  SUMFAC_INLINE measure_line(trilinear_line<T, Direction> const& x, scalar weight)
      : measure_line(x, vector<T, 3>(weight * x.tangent()))
  {
  }
  // With the line's tangent times a weight.
  SUMFAC_INLINE measure_line(trilinear_line<T, Direction> const& x, vector<T, 3> const& tangent)
  {
    vector<T, 3> const area = cross(tangent, x.in_next(0)), change = cross(tangent, x.in_next(1));
    det_ = {dot(area, x.in_last(0)), dot(change, x.in_last(0)) + dot(area, x.in_last(1)), dot(change, x.in_last(1))};
  }

  SUMFAC_INLINE point at(scalar t, scalar weight) const { return {weight * det_(t)}; }

  SUMFAC_INLINE T det(scalar t) const { return det_(t); }

private:
  quadratic<T> det_;
};

// Along a line, products of the Jacobian's columns, t in its direction, b in the next and c in the last, and its
// determinant.
template <class T>
struct column_products {
  T tt;
  linear<T> tb, tc;
  quadratic<T> bb, bc, cc, det;
};

// The size of an element whose map is not over a power of two; what goes with a size goes into it.
struct own_size {
  own_size() = default;
  template <class Entry>
  explicit SUMFAC_INLINE own_size(Entry const&)
  {
  }
};

// w det J^-1 J^-T along a line, never formed: it is applied by elimination in the Gram matrix J^T J.
//
// With t = tangent, b and c the Jacobian's other columns, G = J^T J has the constant corner t.t, so eliminating it once
// a line leaves a 2 x 2 matrix S of quadratics: the dot products of b and c less their parts along t. At a point remain
// S, the two factors b.t / t.t and c.t / t.t, linear, and det J, quadratic, whose square is t.t det S: one division and
// about half of the flops of two products with the adjugate.
//
// Of a map over a power of two, which is then the size, a T, the metric is that of the element, and measure() that of
// the map. There the weight of the line stands beside the size and not, as it does elsewhere, in the determinant.
// **Work** 195 flops a line, 41 a point.
template <class T, int Direction, class Size = own_size>
class metric_line {
  static constexpr bool has_size = !std::is_same_v<Size, own_size>;

public:
  using scalar = scalar_of<T>;
  static constexpr int along = Direction, next = (Direction + 1) % 3, last = (Direction + 2) % 3;

  class point {
  public:
    SUMFAC_INLINE point(metric_line const& line, scalar t, scalar weight)
        : line_(line),
          t_(t),
          weight_(weight),
          square_(has_size ? weight : weight * weight),
          det_(has_size ? line.det_.det(t) : weight * line.det_.det(t))
    {
    }

    SUMFAC_INLINE T measure() const
    {
      if constexpr (has_size)
        return (weight_ * line_.weight_) * det_;
      else
        return det_;
    }

    SUMFAC_INLINE vector<T, 3> metric_times(vector<T, 3> const& g) const
    {
      T const n = line_.shear_next_(t_), l = line_.shear_last_(t_);
      T const g_next = fnma(n, g[along], g[next]), g_last = fnma(l, g[along], g[last]);
      T const nl = line_.next_last_(t_), scale = (square_ * line_.numerator_) / det_;
      vector<T, 3> flux{};
      flux[next] = scale * fnma(nl, g_last, line_.last_last_(t_) * g_next);
      flux[last] = scale * fnma(nl, g_next, line_.next_next_(t_) * g_last);
      flux[along] = fnma(n, flux[next], fnma(l, flux[last], over_square() * g[along]));
      return flux;
    }

  private:
    // The measure over the square of the tangent.
    SUMFAC_INLINE T over_square() const
    {
      if constexpr (has_size)
        return (weight_ * line_.inverse_square_) * det_;
      else
        return det_ * line_.inverse_square_;
    }

    metric_line const& line_;
    scalar t_, weight_, square_;
    T det_;  // times all weights, where there is no size
  };

  metric_line() = default;
  SUMFAC_INLINE metric_line(trilinear_map<T> const& x, scalar p, scalar r, scalar weight, Size const& size = {})
      : metric_line(trilinear_line<T, Direction>(x, p, r), weight, size)
  {
  }
  SUMFAC_INLINE metric_line(trilinear_line<T, Direction> const& x, scalar weight, Size const& size = {})
      : det_(x, has_size ? x.tangent() : weight * x.tangent()), weight_(weight)
  {
    auto const& t = x.tangent();
    T const square = dot(t, t), inverse = static_cast<T>(1) / square;
    inverse_square_ = with_size(inverse, weight, size);
    numerator_ = has_size ? with_size(square, weight, size) : (weight * weight) * square;
    shear_next_ = {dot(t, x.in_next(0)) * inverse, dot(t, x.in_next(1)) * inverse};
    shear_last_ = {dot(t, x.in_last(0)) * inverse, dot(t, x.in_last(1)) * inverse};
    vector<T, 3> const b[2] = {without(x.in_next(0), shear_next_.c0, t), without(x.in_next(1), shear_next_.c1, t)};
    vector<T, 3> const c[2] = {without(x.in_last(0), shear_last_.c0, t), without(x.in_last(1), shear_last_.c1, t)};
    next_next_ = product(b, b);
    next_last_ = product(b, c);
    last_last_ = product(c, c);
  }
  // From the products of the columns.
  SUMFAC_INLINE metric_line(column_products<T> const& x, scalar weight, Size const& size = {})
      : metric_line(x, weight, size, static_cast<T>(1) / x.tt)
  {
  }

  SUMFAC_INLINE point at(scalar t, scalar weight) const { return {*this, t, weight}; }

private:
  SUMFAC_INLINE metric_line(column_products<T> const& x, scalar weight, Size const& size, T const& inverse)
      : det_(x.det),
        weight_(weight),
        inverse_square_(with_size(inverse, weight, size)),
        numerator_(has_size ? with_size(x.tt, weight, size) : (weight * weight) * x.tt),
        shear_next_{x.tb.c0 * inverse, x.tb.c1 * inverse},
        shear_last_{x.tc.c0 * inverse, x.tc.c1 * inverse},
        next_next_(less(x.bb, x.tb, shear_next_)),
        next_last_(less(x.bc, x.tb, shear_last_)),
        last_last_(less(x.cc, x.tc, shear_last_))
  {
  }
  SUMFAC_INLINE static T with_size(T const& x, scalar weight, Size const& size)
  {
    if constexpr (has_size)
      return (size * weight) * x;
    else
      return x;
  }
  // a less the product of b and c.
  SUMFAC_INLINE static quadratic<T> less(quadratic<T> const& a, linear<T> const& b, linear<T> const& c)
  {
    return {fnma(b.c0, c.c0, a.c0), fnma(b.c0, c.c1, fnma(b.c1, c.c0, a.c1)), fnma(b.c1, c.c1, a.c2)};
  }
  SUMFAC_INLINE static vector<T, 3> without(vector<T, 3> const& b, T const& part, vector<T, 3> const& t)
  {
    return {fnma(part, t[0], b[0]), fnma(part, t[1], b[1]), fnma(part, t[2], b[2])};
  }
  // (b[0] + t b[1]) . (c[0] + t c[1])
  SUMFAC_INLINE static quadratic<T> product(vector<T, 3> const (&b)[2], vector<T, 3> const (&c)[2])
  {
    return {dot(b[0], c[0]), dot(b[0], c[1]) + dot(b[1], c[0]), dot(b[1], c[1])};
  }

  measure_line<T, Direction> det_;
  SUMFAC_NO_UNIQUE_ADDRESS std::conditional_t<has_size, scalar, own_size> weight_;
  T inverse_square_, numerator_;
  linear<T> shear_next_, shear_last_;
  quadratic<T> next_next_, next_last_, last_last_;
};

// The power of two below the largest entry of the terms that make the Jacobian.
template <class T>
SUMFAC_FUNCTION T scale_of_terms(trilinear_map<T> const& x)
{
  T numbers[21];
  for (int i = 0; i < 21; ++i) numbers[i] = x.term[1 + i / 3][i % 3];
  return scale_of(numbers, 21);
}

// The terms of a map over a scale, but for the constant one.
template <class T>
struct scaled_trilinear_map {
  using value_type = T;
  static constexpr int count = 25;

  trilinear_map<T> terms;
  T scale;

  SUMFAC_FUNCTION static scaled_trilinear_map of(trilinear_map<T> const& x)
  {
    scaled_trilinear_map s{x, scale_of_terms(x)};
    for (int b = 1; b < 8; ++b) s.terms.term[b] *= static_cast<T>(1) / s.scale;
    return s;
  }
};

// The same where no places are asked for: the scale stands in the place of the constant term.
template <class T>
struct scaled_jacobian_map {
  using value_type = T;
  static constexpr int count = 24;

  trilinear_map<T> terms;

  SUMFAC_INLINE T const& scale() const { return terms.term[0][0]; }

  SUMFAC_FUNCTION static scaled_jacobian_map of(trilinear_map<T> const& x)
  {
    auto const scaled = scaled_trilinear_map<T>::of(x);
    scaled_jacobian_map m{scaled.terms};
    m.terms.term[0] = {scaled.scale, {}, {}};
    return m;
  }
};

// A line of a map over a scale, whose points have the measure of the element. Line is a metric_line or a reference to
// one that outlives this, Scale is a T likewise.
template <class Line, class Scale>
struct scaled_metric_line {
  using scalar = typename std::remove_reference_t<Line>::scalar;

  struct point {
    typename std::remove_reference_t<Line>::point x;
    std::remove_reference_t<Scale> const& scale;

    SUMFAC_INLINE auto measure() const { return (x.measure() * scale) * (scale * scale); }
    template <class Gradient>
    SUMFAC_INLINE Gradient metric_times(Gradient const& g) const
    {
      return x.metric_times(g);
    }
  };

  SUMFAC_INLINE point at(scalar t, scalar weight) const { return {line.at(t, weight), scale}; }
  template <class Places>
  SUMFAC_INLINE point at(Places const& places, int i) const
    requires(requires(Line const& x) { x.at(places, i); })
  {
    return {line.at(places, i), scale};
  }

  Line line;
  Scale scale;
};

}  // namespace sumfac::detail
