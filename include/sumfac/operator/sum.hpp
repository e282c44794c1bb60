// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Operators on the same global vectors, each through a restriction of its own, added up to one operator.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/element/work.hpp>
#include <sumfac/operator/detail/application.hpp>
#include <sumfac/operator/detail/call_checks.hpp>
#include <sumfac/operator/detail/operator_arguments.hpp>
#include <sumfac/operator/detail/team_sweep.hpp>
#include <sumfac/operator/detail/unconstrained_sum.hpp>
#include <sumfac/operator/global_operator.hpp>

#include <tuple>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET {

namespace detail {

// What a part is multiplied by: 1, of which nothing is known at run time, or a number.
struct unscaled {
  static constexpr double number = 1;
  static as_it_is how() { return {}; }
};
struct scaled {
  double number;
  scaled_by how() const { return scaled_by(number); }
};

}  // namespace detail

// A term of a sum: an element or face operator and the restriction that it is applied through, on a mesh in parts with
// the halo, times a number where it says so: 0.5 * part{M, R}. Refers to all of them, which must live as long.
template <class Operator, class Restriction, class Scale = detail::unscaled, class Halo = whole>
class part {
  static_assert(
      requires { Operator::nodes_1d; },
      "sumfac::part: the operator comes first, the restriction second: sumfac::part{A, R}");
  static_assert(
      !detail::acts_between_elements<Operator>,
      "sumfac::part: an interior_operator has no restriction, for its functions are E-vectors, discontinuous: "
      "sum{K, F} adds it to an element_operator K on these");

public:
  using operator_type = Operator;
  using scalar_type = typename Operator::scalar_type;
  using backend_type = typename Operator::backend_type;
  using restriction_type = Restriction;
  using halo_type = Halo;
  static constexpr bool is_scaled = std::is_same_v<Scale, detail::scaled>;
  // That of another operator, as on a level of multigrid.
  template <class Other>
  using with = part<Other, sumfac::restriction<typename Other::scalar_type, typename Other::backend_type>, Scale, Halo>;

  part(Operator const& a, Restriction const& r)
    requires detail::is_whole<Halo>
      : part(a, r, detail::of_one_process)
  {
  }
  part(Operator const& a, Restriction const& r, Halo const& halo, distributed_options const& options = {})
      : operator_(&a), restriction_(&r), halo_(&halo), options_(options)
  {
    if constexpr (detail::is_restriction_for<Restriction, scalar_type, backend_type>)
      detail::agree_on_check(halo, "part", [&] { detail::check_restriction("part", a, r); });
    else
      detail::refuse_restriction<Restriction>();
  }
  template <class Applied, class Through>
    requires detail::any_temporary<Applied, Through>
  part(Applied&&, Through&&)
  {
    refuse_temporary<Applied>();
  }
  template <class Applied, class Through, class Shared>
    requires detail::any_temporary<Applied, Through, Shared>
  part(Applied&&, Through&&, Shared&&, distributed_options const& = {})
  {
    refuse_temporary<Applied>();
  }

  friend part<Operator, Restriction, detail::scaled, Halo> operator*(double number, part const& p)
  {
    static_assert(detail::is_element_operator<Operator>,
                  "sumfac::part: only element and face operators are multiplied by a number; the one that a "
                  "tuned_operator has chosen is in its visit()");
    return {p, {number * p.scale()}};
  }
  template <class Other>
  part(part<Operator, Restriction, Other, Halo> const& of, Scale const& scale)
    requires(is_scaled)
      : operator_(&of.element_operator()), restriction_(&of.restriction()), halo_(&of.halo()), options_(of.options())
  {
    set_scale(scale.number);
  }

  Operator const& element_operator() const { return *operator_; }
  Restriction const& restriction() const { return *restriction_; }
  backend_type const& backend() const { return restriction().backend(); }  // the restriction's
  Halo const& halo() const { return *halo_; }
  distributed_options const& options() const { return options_; }
  double scale() const { return scale_.number; }
  auto how() const { return scale_.how(); }  // as an application takes it
  void set_scale(double number)
    requires(is_scaled)
  {
    if (number - number != 0) failf("part", "it is multiplied by what is not a finite number (got %g)", number);
    scale_.number = number;
  }
  // The same through another restriction, of the same elements, which must live as long.
  part through(Restriction const& r) const
  {
    part made(*operator_, r, *halo_, options_);
    made.scale_ = scale_;
    return made;
  }
  part through(Restriction const&&) const = delete;

private:
  template <class Applied>
  static void refuse_temporary()
  {
    static_assert(detail::never<Applied>,
                  "sumfac::part: it refers to operator, restriction and halo, so none may be a temporary: give them "
                  "names, and keep them as long as the sum");
  }

  Operator const* operator_;
  Restriction const* restriction_;
  Halo const* halo_;
  distributed_options options_;
  SUMFAC_NO_UNIQUE_ADDRESS Scale scale_{};
};

template <class Operator, class Restriction>
part(Operator const&, Restriction const&) -> part<Operator, Restriction>;
template <class Operator, class Restriction, class Halo>
part(Operator const&, Restriction const&, Halo const&) -> part<Operator, Restriction, detail::unscaled, Halo>;
template <class Operator, class Restriction, class Halo>
part(Operator const&, Restriction const&, Halo const&, distributed_options const&)
    -> part<Operator, Restriction, detail::unscaled, Halo>;

namespace detail {

template <class Candidate>
inline constexpr bool is_part = false;
template <class Operator, class Restriction, class Scale, class Halo>
inline constexpr bool is_part<part<Operator, Restriction, Scale, Halo>> = true;

// What a sum has of a mesh in parts: the matrix of its first part, and the other parts' elements; and of a whole one:
// nothing.
template <class First, int Terms>
struct parts_of_sum {
  using matrix =
      global_operator<typename First::operator_type, typename First::restriction_type, typename First::halo_type>;
  using mesh_part_type =
      mesh_part<typename First::scalar_type, typename First::backend_type, typename First::halo_type>;
  own_pointer<matrix const> first;
  own_pointer<mesh_part_type const> others[Terms];

  template <class Part>
  void add(Part const& p, int index)
  {
    if (index == 0) {
      if constexpr (std::is_same_v<typename Part::operator_type, typename First::operator_type>)
        first = own_pointer<matrix const>(new matrix(p.element_operator(), p.restriction(), p.halo(), p.options()));
    } else {
      others[index] =
          own_pointer<mesh_part_type const>(new mesh_part_type(p.restriction(), p.halo(), first->part().options()));
    }
  }
};
template <class First, int Terms>
  requires is_whole<typename First::halo_type>
struct parts_of_sum<First, Terms> {};

template <class Operator>
concept says_work = requires(Operator const& a) { sumfac::work(a.work()); };

template <class Scalar>
struct add_scaled_body;

}  // namespace detail

// A matrix to solvers, y = sum of c_i R_i^T A_i R_i x: operators in the volume, on the boundary and on faces, in any
// order, that of the most elements first for speed. Copies the parts, whose operators and restrictions must live as
// long.
//
// At constrained entries it is what the restriction of the first part says, once; all parts constrain the same. Linear
// where all are, and not symmetric where one says that it is not. On the host results have the same bits for any number
// of threads.
// **Shapes** x, y, d: entries of the restrictions, of which all have as many, in one interleaving.
// **Work** that of the parts; the first writes y, the others read it and add to it.
// **Errors** argument_error for restrictions of other vectors or halos of other numbers of nodes, and for an entry that
// is constrained in one part alone.
//
// On a mesh in parts, sum{part{K, R, halo}, part{B, on_faces, halo}}, all parts have one halo, and ghosts are exchanged
// once for all of them. All processes call the same members in the same order.
template <class... Parts>
class sum {
  static_assert((detail::is_part<Parts> && ...) && sizeof...(Parts) > 0,
                "sumfac::sum: it is made of parts: sumfac::sum{part{A, R}, 0.5 * part{M, R}, part{B, on_faces}}");
  using first_part = std::tuple_element_t<0, std::tuple<Parts...>>;
  static constexpr bool in_parts = !detail::is_whole<typename first_part::halo_type>;
  static_assert((std::is_same_v<typename first_part::halo_type, typename Parts::halo_type> && ...),
                "sumfac::sum: all parts must have the same halo, or none");

public:
  using halo_type = typename first_part::halo_type;  // `whole` where one process has the mesh
  using scalar_type = typename first_part::scalar_type;
  using backend_type = typename first_part::backend_type;
  using arithmetic_type = detail::narrowest<detail::operator_arithmetic<typename Parts::operator_type>...>;
  using from_vector = vector_argument<scalar_type const>;
  using to_vector = vector_argument<scalar_type>;
  static constexpr int terms = int{sizeof...(Parts)};
  static constexpr bool linear = (is_linear<typename Parts::operator_type> && ...);
  static constexpr bool symmetric = (may_be_symmetric<typename Parts::operator_type> && ...);
  static_assert((std::is_same_v<scalar_type, typename Parts::scalar_type> && ...) &&
                    (std::is_same_v<backend_type, typename Parts::backend_type> && ...),
                "sumfac::sum: all parts must be of one scalar type and backend");

  explicit sum(Parts const&... parts) : parts_(parts...)
  {
    int index = 0;
    detail::agree_on_check(std::get<0>(parts_).halo(), "sum", [&] { (check_part(parts, index++), ...); });
    if constexpr (in_parts) {
      index = 0;
      (shared_.add(parts, index++), ...);
    }
  }

  // y = A x, and y = y + A x.
  void apply(from_vector x, to_vector y) const
  {
    if constexpr (in_parts)
      run_in_parts(x.entries, y.entries);
    else
      run("sum::apply", x.entries, y.entries, detail::sweep_mode::write);
  }
  void apply_add(from_vector x, to_vector y) const
    requires(!in_parts)
  {
    run("sum::apply_add", x.entries, y.entries, detail::sweep_mode::add);
  }

  // d = the diagonal of what apply() multiplies by. For set-up: it allocates.
  void diagonal(to_vector d) const
  {
    constexpr auto here = "sum::diagonal";
    if constexpr (in_parts) {
      shared_.first->add_up_diagonals(here, d.entries, [&](vector_view const& local) { add_diagonals(local); });
    } else {
      detail::check_extent(here, "d", 0, "entries", size(), d.entries.extent(0));
      add_diagonals(d.entries);
    }
    detail::wait_for(backend());
  }

  index_t size() const
  {
    if constexpr (in_parts)
      return shared_.first->size();
    else
      return restriction().size();
  }
  backend_type const& backend() const { return restriction().backend(); }
  // Of the first part, by whose rule constrained rows are.
  auto const& restriction() const { return std::get<0>(parts_).restriction(); }

  // A part, with its operator, restriction, halo and the number in front of it; and all of them.
  template <int Index>
  auto const& at() const
  {
    return std::get<Index>(parts_);
  }
  std::tuple<Parts...> const& parts() const { return parts_; }
  // The same sum where nothing is constrained, with restrictions of its own: apply(x, y), restriction(). For lift().
  detail::unconstrained_sum<sum> unconstrained() const { return detail::unconstrained_sum<sum>(*this); }
  // In parts besides, as of a global_operator; and the matrix of the first part alone.
  halo_type const& halo() const
    requires in_parts
  {
    return std::get<0>(parts_).halo();
  }
  sumfac::reduction reduction() const
    requires in_parts
  {
    return halo().reduction();
  }
  auto const& first_matrix() const
    requires in_parts
  {
    return *shared_.first;
  }

  // Of a part that is multiplied by a number, another one.
  template <int Index>
  void set_scale(double number)
  {
    using chosen = std::tuple_element_t<Index, std::tuple<Parts...>>;
    static_assert(chosen::is_scaled,
                  "sumfac::sum: the part is not multiplied by a number that could change: write 1.0 * part{A, R}");
    if constexpr (chosen::is_scaled) std::get<Index>(parts_).set_scale(number);
  }

  // Of apply(): the sum of the parts'.
  sumfac::work work() const
    requires(detail::says_work<typename Parts::operator_type> && ...)
  {
    sumfac::work total;
    for_each([&](auto const& p) {
      auto const w = p.element_operator().work();
      total.flops += w.flops, total.geometry_flops += w.geometry_flops;
      total.bytes_read += w.bytes_read, total.bytes_written += w.bytes_written;
    });
    return total;
  }
  // Throws where a form is seen not to be linear.
  void check_linear() const
  {
    for_each([](auto const& p) {
      if constexpr (requires { p.element_operator().check_linear(); }) p.element_operator().check_linear();
    });
  }
  // Calls f(part) for each, the first one first.
  template <class Function>
  void for_each(Function const& f) const
  {
    std::apply([&](auto const&... parts) { (f(parts), ...); }, parts_);
  }

private:
  using const_view = view<scalar_type const, dextents<1>>;
  using vector_view = view<scalar_type, dextents<1>>;

  void run(char const* where, const_view const& x, vector_view const& y, detail::sweep_mode mode) const
  {
    for_each([&](auto const& p) {
      apply_part(where, p, p.restriction(), x, y, mode);
      mode = detail::sweep_mode::add;
    });
  }
  // Elements of each part while the first part's exchange is under way, and behind it.
  void run_in_parts(const_view const& x, vector_view const& y) const
  {
    constexpr auto here = "sum::apply";
    detail::check_vectors(here, "x", x, size(), "y", y, size());
    using mesh_part_type = typename detail::parts_of_sum<first_part, terms>::mesh_part_type;
    mesh_part_type const* of[terms] = {&shared_.first->part()};
    for (int k = 1; k < terms; ++k) of[k] = &*shared_.others[k];
    mesh_part_type::sweep_all(
        detail::sweep_mode::write, of, of, x.data(), y.data(),
        [&](int k, auto const& r, auto const&, scalar_type const* from, scalar_type* to, detail::sweep_mode mode) {
          int index = 0;
          for_each([&](auto const& p) {
            if (index++ == k) apply_part(here, p, r, const_view(from, r.size()), vector_view(to, r.size()), mode);
          });
        });
  }

  void add_diagonals(vector_view const& d) const
  {
    bool first = true;
    auto of_part = detail::make_memory<scalar_type>(backend(), terms > 1 || first_part::is_scaled ? d.extent(0) : 0);
    for_each([&](auto const& p) {
      scalar_type* const to = first && !first_part::is_scaled ? d.data() : of_part.data();
      p.element_operator().diagonal(p.restriction(), vector_view(to, d.extent(0)));
      if (to != d.data())
        detail::each_entry(
            backend(), d.extent(0),
            detail::add_scaled_body<scalar_type>{static_cast<scalar_type>(p.scale()), to, d.data(), first});
      first = false;
    });
    auto const& r = restriction();
    r.storage().set_constrained(d.data(), static_cast<scalar_type>(r.options().rows.value));
  }

  template <class Part, class Restriction>
  static void apply_part(char const* where, Part const& p, Restriction const& r, const_view const& x,
                         vector_view const& y, detail::sweep_mode mode)
  {
    using operator_type = typename Part::operator_type;
    bool const writes = mode == detail::sweep_mode::write;
    if constexpr (detail::is_element_operator<operator_type>) {
      auto const how = p.how();
      detail::application<operator_type, std::remove_const_t<decltype(how)>> const call(p.element_operator(), where,
                                                                                        how);
      writes ? call.write(r, x, y) : call.add(r, x, y);
    } else {
      writes ? p.element_operator().apply(r, x, y) : p.element_operator().apply_add(r, x, y);
    }
  }

  template <class Part>
  void check_part(Part const& p, int index) const
  {
    auto const &first = restriction(), &r = p.restriction();
    auto const demand = [&](char const* what, index_t expected, index_t got) {
      if (expected != got)
        failf("sum", "%s of part %d does not fit (got %lld, that of part 0 has %lld)", what, index,
              static_cast<long long>(got), static_cast<long long>(expected));
    };
    demand("number of nodes in the restriction", first.nodes(), r.nodes());
    demand("number of components in the restriction", first.components(), r.components());
    demand("interleaving in the restriction", static_cast<index_t>(first.options().components_lie),
           static_cast<index_t>(r.options().components_lie));
    if constexpr (in_parts) {
      auto const& halo = std::get<0>(parts_).halo();
      demand("number of owned nodes in the halo", halo.owned(), p.halo().owned());
      demand("number of ghosts in the halo", halo.ghosts(), p.halo().ghosts());
    }
    detail::check_stream("sum", "the restriction of a part", backend(), r.backend());
    if (&first == &r || !(first.table().has_marks() || r.table().has_marks())) return;
    auto const &of_first = first.table(), &of_part = r.table();
    for (index_t node = 0; node < r.nodes(); ++node)
      for (int c = 0; c < r.components(); ++c) {
        bool const here = of_part.constrained(node, c);
        if (of_first.constrained(node, c) != here)
          failf("sum",
                "component %d of node %lld is constrained in part %d and not in part %d (%lld entries are in part 0, "
                "%lld in part %d): make all restrictions with the same marks and constraints",
                c, static_cast<long long>(node), here ? index : 0, here ? 0 : index,
                static_cast<long long>(first.constrained()), static_cast<long long>(r.constrained()), index);
        auto const expected = of_first.row(node, c), got = of_part.row(node, c);
        if (!(got == expected))
          failf("sum",
                "component %d of node %lld has another equation in part %d than in part 0 (%lld terms and %lld): make "
                "all restrictions with the same constraints",
                c, static_cast<long long>(node), index, static_cast<long long>(got.size()),
                static_cast<long long>(expected.size()));
      }
  }

  std::tuple<Parts...> parts_;
  SUMFAC_NO_UNIQUE_ADDRESS detail::parts_of_sum<first_part, terms> shared_;
};

// The sum of the parts of two sums, as of a sum_by_kind in the volume and one on the boundary; and with a part more.
template <class... Parts, class... More>
  requires((detail::is_part<Parts> && ...) && (detail::is_part<More> && ...))
sum<Parts..., More...> operator+(sum<Parts...> const& a, sum<More...> const& b)
{
  return std::apply([](auto const&... parts) { return sum<Parts..., More...>(parts...); },
                    std::tuple_cat(a.parts(), b.parts()));
}
template <class... Parts, class More>
  requires((detail::is_part<Parts> && ...) && detail::is_part<More>)
sum<Parts..., More> operator+(sum<Parts...> const& a, More const& b)
{
  return std::apply([&](auto const&... parts) { return sum<Parts..., More>(parts..., b); }, a.parts());
}

namespace detail {

// to[i] = to[i] + scale * from[i], or scale * from[i] alone.
template <class Scalar>
struct add_scaled_body {
  Scalar scale;
  Scalar const* from;
  Scalar* to;
  bool writes;
  SUMFAC_INLINE void operator()(index_t i) const { to[i] = (writes ? Scalar(0) : to[i]) + scale * from[i]; }
};

}  // namespace detail

}  // namespace sumfac
