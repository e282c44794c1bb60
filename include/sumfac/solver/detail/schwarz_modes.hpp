// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How stiff each element is along its directions, and the modes of its subdomain along these, as kernels read them.
#pragma once

#include <sumfac/solver/detail/line_modes.hpp>
#include <sumfac/solver/detail/schwarz_kernel.hpp>
#include <sumfac/solver/detail/schwarz_nodes.hpp>

#include <cstddef>

namespace sumfac::SUMFAC_TARGET::detail {

// In the reference element the integral of g_x u_x v_x + g_y u_y v_y + g_z u_z v_z + m u v has the energies u' A u that
// the element's matrix has for the functions x, y, z and 1; of x and y alone on quadrilaterals, of x on lines.
//
// On boxes, with coefficients of elements, its matrix is the element's; elsewhere these are means.
struct line_scale {
  double along[3] = {1, 1, 1};  // x, y, z
  double mass = 0;
};

// **Shapes** (E, C)
// **Work** (D + 1) C applications to E-vectors, D directions. **Errors** argument_error for an energy that is not
// positive and finite.
template <class Operator>
class line_scales {
  using scalar = typename Operator::scalar_type;
  static constexpr int n = Operator::nodes_1d, components = Operator::components;
  static constexpr int directions = Operator::directions, no_direction = directions;  // of constants
  static constexpr index_t nodes = node_box(n, directions).all(), entries = components * nodes;
  static constexpr double size_of_reference = 1 << directions;

public:
  explicit line_scales(Operator const& a)
      : operator_(a),
        threads_(host_of(a.backend())),
        scales_(static_cast<std::size_t>(a.elements() * components)),
        u_(static_cast<std::size_t>(a.elements() * entries), 0),
        v_(make_memory<scalar>(a.backend(), a.elements() * entries))
  {
    for (int c = 0; c < components; ++c) {
      own_vector<double> const constants = energies(c, no_direction);
      for (int d = 0; d < directions; ++d) {
        own_vector<double> const linear = energies(c, d);
        for (index_t e = 0; e < a.elements(); ++e) take(e, c, d, constants[place(e)], linear[place(e)]);
      }
    }
    u_.clear(), v_ = {};
  }

  index_t elements() const { return operator_.elements(); }
  line_scale const& operator()(index_t e, int c) const { return scales_[place(e * components + c)]; }

private:
  static std::size_t place(index_t i) { return static_cast<std::size_t>(i); }

  // u' A u of all elements for u = x, y, z, or 1, by no_direction, in component c.
  own_vector<double> energies(int c, int direction)
  {
    static constexpr auto x = coordinates<double, typename Operator::nodes_type>();
    auto const value = [direction](index_t p) {
      if (direction == no_direction) return 1.0;
      return x(static_cast<int>(direction == 0 ? p % n : direction == 1 ? p / n % n : p / n / n));
    };
    own_vector<double> result(place(operator_.elements()), 0);
    threads_.partition(operator_.elements(), [&](index_t first, index_t last) {
      for (index_t i = first * entries; i < last * entries; ++i)
        u_[place(i)] = i / nodes % components == c ? static_cast<scalar>(value(i % nodes)) : scalar(0);
    });
    auto const u = upload<scalar>(operator_.backend(), u_);
    operator_.apply(e_vector(static_cast<scalar const*>(u.data())), e_vector(v_.data()));
    auto const v = download<scalar>(operator_.backend(), v_.data(), operator_.elements() * entries);
    threads_.partition(operator_.elements(), [&](index_t first, index_t last) {
      for (index_t e = first; e < last; ++e)
        for (index_t p = 0; p < nodes; ++p)
          result[place(e)] += value(p) * static_cast<double>(v[place(e * entries + c * nodes + p)]);
    });
    return result;
  }

  template <class T>
  auto e_vector(T* data) const
  {
    return view<T, e_vector_extents<components, n, directions>>(data, operator_.elements());
  }

  // 1' M 1 = 2, x' K x = 2, x' M x = `square` along a line of length 2.
  void take(index_t e, int c, int direction, double constant, double linear)
  {
    static constexpr auto x = coordinates<double, typename Operator::points_type>();
    static constexpr auto w = quadrature_weights<double, typename Operator::points_type>();
    double square = 0;
    for (int q = 0; q < Operator::points_1d; ++q) square += w(q) * x(q) * x(q);
    double const stiff = linear - constant * square / 2;
    if (!(stiff > 0) || stiff - stiff != 0)
      failf("schwarz_preconditioner",
            "element %lld is not positive definite: a linear function of component %d along %c has the energy %g, %g "
            "of it by the gradient (a finite number above 0 expected)",
            static_cast<long long>(e), c, 'x' + direction, linear, stiff);
    line_scale& scale = scales_[place(e * components + c)];
    scale.along[direction] = stiff / size_of_reference;
    constexpr double rounding = sizeof(typename Operator::arithmetic_type) == sizeof(double) ? 1e-12 : 1e-4;
    scale.mass = constant > rounding * stiff ? constant / size_of_reference : 0;
  }

  Operator const& operator_;
  host threads_;
  own_vector<line_scale> scales_;  // (E, C)
  own_vector<scalar> u_;
  memory_of<scalar, typename Operator::backend_type> v_;
};

// K and M of a line of the reference element.
template <class Operator>
struct element_line {
  static constexpr int n = Operator::nodes_1d;
  using nodes = typename Operator::nodes_type;
  using points = typename Operator::points_type;

  double stiffness[n][n] = {}, mass[n][n] = {};

  element_line()
  {
    static constexpr auto value = interpolation<double, nodes, points>();
    static constexpr auto slope = differentiation<double, nodes, points>();
    static constexpr auto w = quadrature_weights<double, points>();
    for (int r = 0; r < n; ++r)
      for (int c = 0; c < n; ++c)
        for (int q = 0; q < Operator::points_1d; ++q) {
          stiffness[r][c] += w(q) * slope(q, r) * slope(q, c);
          mass[r][c] += w(q) * value(q, r) * value(q, c);
        }
  }
};

// What an element has to say of itself to the one behind a face: how stiff it is through the face, and how stiff along
// the others of its directions, multiplied; on lines how heavy it is.
struct face_scale {
  double through = 0, along = 0;  // 0 where there is no element
};
template <class Scales>
face_scale face_scale_of(Scales const& scales, index_t e, int c, int face, int directions)
{
  line_scale const& s = scales(e, c);
  int const d = face / 2;
  return {s.along[d], directions == 3   ? s.along[(d + 1) % 3] * s.along[(d + 2) % 3]
                      : directions == 2 ? s.along[1 - d]
                                        : s.mass};
}

// Makes the modes of all elements: those of matrices of an element's line and what lies behind its ends, assembled.
// `others` knows what is behind faces behind which this process has no element.
template <class Operator, int Overlap, class Others>
class schwarz_modes {
  static constexpr int n = Operator::nodes_1d, wide = n + 2 * Overlap, lanes = native_width<double>;
  static constexpr int directions = Operator::directions;
  using packed = pack<double, lanes>;
  using places = mode_places<wide, directions>;

public:
  schwarz_modes(line_scales<Operator> const& scales, schwarz_nodes const& nodes, own_vector<index_t> const& active,
                Others const& others)
      : elements_(scales.elements()),
        nodes_(nodes),
        scales_(scales),
        others_(others),
        active_(static_cast<std::size_t>(elements_), 0)
  {
    for (index_t const e : active) active_[static_cast<std::size_t>(e)] = 1;
    for (index_t const e : active)
      for (int c = 1; c < Operator::components; ++c)
        if (!are_alike(e, c)) tracked_ = Operator::components;
  }

  // Components whose modes are kept: 1 where all have the same, or all.
  int tracked() const { return tracked_; }

  // **Shapes** (E / Width, tracked, size, Width)
  template <class Scalar, int Width>
  void write(host const& threads, int tracked, Scalar* to) const
  {
    index_t const groups = (elements_ + Width - 1) / Width * Width / lanes + (Width < lanes ? 1 : 0);
    threads.balance(groups, [&](index_t first, index_t last) {
      for (index_t group = first; group < last; ++group)
        for (int c = 0; c < tracked; ++c) {
          packed made[places::size];
          make(group * lanes, c, made);
          for (int lane = 0; lane < lanes; ++lane) {
            index_t const e = group * lanes + lane;
            if (e >= (elements_ + Width - 1) / Width * Width) break;
            Scalar* const at = to + (e / Width * tracked + c) * places::size * Width + e % Width;
            for (int i = 0; i < places::size; ++i) at[i * Width] = static_cast<Scalar>(made[i][lane]);
          }
        }
    });
  }

private:
  // Whether a component has the modes of the first.
  bool are_alike(index_t e, int c) const
  {
    line_scale const &one = scales_(e, 0), &other = scales_(e, c);
    constexpr double rounding = 1e-6;
    auto const agree = [](double a, double b) { return __builtin_fabs(a - b) <= rounding * b; };
    bool alike = agree(one.mass, other.mass);
    for (int d = 0; d < directions; ++d) alike = alike && agree(one.along[d], other.along[d]);
    for (int f = 0; f < 2 * directions; ++f) alike = alike && nodes_.end(e, 0, f) == nodes_.end(e, c, f);
    return alike;
  }

  // What is at an end of an element's lines: its kind, and how many times an element behind it is as stiff, and as
  // heavy, as the element.
  struct line_behind {
    line_end kind = line_end::open;
    double stiffness = 0, mass = 0;
  };
  line_behind behind(index_t e, int c, int face) const
  {
    line_behind found{nodes_.end(e, c, face)};
    if (found.kind == line_end::fixed) return found;
    face_scale const here = face_scale_of(scales_, e, c, face, directions);
    face_scale const there = scale_behind(e, c, face);
    if (!(there.through > 0)) return found;
    found.kind = line_end::joined;
    found.stiffness = there.through / here.through;
    // How stiff elements are along the others of their directions is as their lengths along the line are.
    if constexpr (directions == 3)
      found.mass = __builtin_sqrt(there.along / here.along);
    else if constexpr (directions == 2)
      found.mass = there.along / here.along;
    else
      found.mass = here.along > 0 && there.along > 0 ? there.along / here.along : 1 / found.stiffness;
    return found;
  }
  face_scale scale_behind(index_t e, int c, int face) const
  {
    if (!nodes_.is_inside(e, face)) return others_.of(e, c, face);
    face_partner const& partner = nodes_.faces().of(e, face);
    return face_scale_of(scales_, partner.element, c, partner.face, directions);
  }

  // The modes of elements first .. first + lanes - 1.
  void make(index_t first, int c, packed* to) const
  {
    packed scale[directions], mass{};
    for (int d = 0; d < directions; ++d) {
      line_behind ends[2][lanes];
      for (int lane = 0; lane < lanes; ++lane) {
        bool const exists = first + lane < elements_ && active_[static_cast<std::size_t>(first + lane)] != 0;
        scale[d].set(lane, exists ? scales_(first + lane, c).along[d] : 1);
        mass.set(lane, exists ? scales_(first + lane, c).mass : 1);
        for (int side = 0; side < 2 && exists; ++side) ends[side][lane] = behind(first + lane, c, 2 * d + side);
      }
      line_matrices<packed, wide> line;
      fill(line, ends);
      auto const modes = line.modes();
      for (int r = 0; r < wide; ++r)
        for (int m = 0; m < wide; ++m) to[places::table(d) + r * wide + m] = share_of(r, ends) * modes.vectors[r][m];
      for (int m = 0; m < wide; ++m) to[places::values(d) + m] = scale[d] * modes.values[m];
    }
    for (int m = 0; m < wide; ++m) to[places::values(0) + m] += mass + floor_of(to, mass);
  }

  // 0 in the lanes where the subdomain has no node in this place, else 1.
  static packed share_of(int r, line_behind const (&ends)[2][lanes])
  {
    packed factor(1.0);
    for (int side = 0; side < 2; ++side) {
      int const from_end = side == 0 ? r : wide - 1 - r;  // 0 behind the element, where there is overlap
      for (int lane = 0; lane < lanes; ++lane) {
        line_end const kind = ends[side][lane].kind;
        int const first_inside = kind == line_end::joined ? 0 : kind == line_end::open ? Overlap : Overlap + 1;
        if (from_end < first_inside) factor.set(lane, 0);
      }
    }
    return factor;
  }

  // A subdomain that is neither joined to another nor fixed anywhere, without mass, leaves constants alone: they get
  // the least of the other eigenvalues.
  packed floor_of(packed const* to, packed mass) const
  {
    packed floor(0.0);
    for (int lane = 0; lane < lanes; ++lane) {
      double least[directions] = {}, total = 0, next = 0, greatest = 0;
      for (int d = 0; d < directions; ++d) {
        double second = -1;
        least[d] = to[places::values(d)][lane];
        if (least[d] > greatest) greatest = least[d];
        for (int m = 1; m < wide; ++m) {
          double const value = to[places::values(d) + m][lane];
          if (value > greatest) greatest = value;
          if (value < least[d])
            second = least[d], least[d] = value;
          else if (second < 0 || value < second)
            second = value;
        }
        total += least[d];
        if (next == 0 || second < next) next = second;
      }
      if (mass[lane] == 0 && total <= 1e-10 * greatest) floor.set(lane, next);
    }
    return floor;
  }

  // K and M, in units of the element's own; the identity's rows in places that are left out.
  static void fill(line_matrices<packed, wide>& line, line_behind const (&ends)[2][lanes])
  {
    static element_line<Operator> const own;
    for (int r = 0; r < wide; ++r)
      for (int c = 0; c < wide; ++c) line.stiffness[r][c] = line.mass[r][c] = packed(r == c ? 1.0 : 0.0);
    for (int r = 0; r < n; ++r)
      for (int c = 0; c < n; ++c) {
        line.stiffness[r + Overlap][c + Overlap] = packed(own.stiffness[r][c]);
        line.mass[r + Overlap][c + Overlap] = packed(own.mass[r][c]);
      }
    for (int side = 0; side < 2; ++side)
      for (int lane = 0; lane < lanes; ++lane) add_end(line, own, side, lane, ends[side][lane]);
  }

  static void add_end(line_matrices<packed, wide>& line, element_line<Operator> const& own, int side, int lane,
                      line_behind const& end)
  {
    // The place of the i-th node of the element behind, from the end of this one on, and of this one's nodes.
    auto const outside = [side](int i) { return side == 0 ? Overlap - i : wide - 1 - Overlap + i; };
    auto const both = [&](int r, int c, double stiffness, double mass) {
      line.stiffness[r][c].set(lane, stiffness), line.mass[r][c].set(lane, mass);
    };
    int const last = outside(0);
    if (end.kind == line_end::fixed)
      for (int i = 0; i < wide; ++i) {
        both(last, i, i == last, i == last);
        both(i, last, i == last, i == last);
      }
    if (end.kind != line_end::joined) return;
    for (int i = 0; i <= Overlap; ++i)
      for (int j = 0; j <= Overlap; ++j) {
        int const r = outside(i), c = outside(j);
        bool const shared = i == 0 && j == 0;
        both(r, c, end.stiffness * own.stiffness[i][j] + (shared ? line.stiffness[r][c][lane] : 0),
             end.mass * own.mass[i][j] + (shared ? line.mass[r][c][lane] : 0));
      }
  }

  index_t elements_;
  schwarz_nodes const& nodes_;
  line_scales<Operator> const& scales_;
  Others const& others_;
  own_vector<unsigned char> active_;
  int tracked_ = 1;
};

}  // namespace sumfac::detail
