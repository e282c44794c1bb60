// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Levels of multigrid whose matrix is a sum of operators: on global vectors, and of discontinuous functions.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/operator/element_sum.hpp>
#include <sumfac/solver/detail/restriction_in.hpp>
#include <sumfac/solver/level.hpp>
#include <sumfac/solver/p_levels.hpp>
#include <sumfac/solver/preconditioner.hpp>
#include <sumfac/solver/transfer.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace sumfac::SUMFAC_TARGET {

// Levels of a sum are made one by one, the sum's first part that of the volume, by whose restriction transfers go:
//
//     sumfac::levels{sumfac::level{L4}, sumfac::level{L2}, sumfac::level{L1}}
//
// Refers to the sum, which must live as long; in parts all processes make it at once.
// **Errors** argument_error for a part with nodes that the first has not, as of spaces that are joined().
template <class First, class... Rest, class Halo>
  requires detail::is_part<First>
class level<sum<First, Rest...>, Halo> : public level<typename First::operator_type, Halo> {
  using of_first = level<typename First::operator_type, Halo>;

public:
  using matrix_type = sum<First, Rest...>;
  using typename of_first::backend_type;
  using typename of_first::scalar_type;

  explicit level(matrix_type const& a)
    requires detail::is_whole<Halo>
      : of_first(a.template at<0>().element_operator(), a.restriction()), matrix_(&a)
  {
    check_parts();
  }
  explicit level(matrix_type const& a)
    requires(!detail::is_whole<Halo>)
      : of_first(a.first_matrix()), matrix_(&a)
  {
    check_parts();
  }
  explicit level(matrix_type const&&) = delete;

  matrix_type const& matrix() const { return *matrix_; }
  jacobi<scalar_type, backend_type> make_jacobi() const { return jacobi<scalar_type, backend_type>(*matrix_); }

private:
  template <class Restriction, class Function>
  static void visit_nodes(Restriction const& r, Function const& f)
  {
    auto const& table = r.table();
    for (index_t const e : r.active())
      for (index_t p = 0; p < table.nodes_of_element(); ++p) f(table(e, p));
  }
  // Of the first part's nodes each process knows those of its own elements alone.
  void check_parts() const
  {
    auto const& halo = of_first::halo();
    detail::own_vector<double> known(static_cast<std::size_t>(matrix_->restriction().nodes()), 0);
    visit_nodes(matrix_->restriction(), [&](auto node) { known[node] = 1; });
    detail::add_up_at_nodes(halo, 1, known.data(), true);
    detail::agree_on_check(halo, "level", [&] {
      [&]<std::size_t... Index>(std::index_sequence<Index...>) {
        (check_nodes(matrix_->template at<Index + 1>().restriction(), known, int{Index} + 1), ...);
      }(std::make_index_sequence<sizeof...(Rest)>{});
    });
  }
  template <class Restriction>
  static void check_nodes(Restriction const& r, detail::own_vector<double> const& known, int part)
  {
    visit_nodes(r, [&](auto node) {
      if (known[node] == 0)
        failf(
            "level",
            "part %d of the sum has a node that the first part, by which transfers go, has not (node %lld): there are "
            "no levels of such a sum yet, take chebyshev_smoother or jacobi",
            part, static_cast<long long>(node));
    });
  }

  matrix_type const* matrix_;
};

namespace detail {

// Whether a level is of a mesh in parts where the halo is, and has one of its type.
template <class Level, class Halo>
constexpr bool is_cut_as()
{
  if constexpr (is_whole<Halo>)
    return true;
  else
    return std::is_same_v<std::remove_cvref_t<decltype(std::declval<Level const&>().halo())>, Halo>;
}

// Continuous functions whose components are elements of their own, and in parts the halo of these.
template <int Directions, class Restriction, class Halo>
struct apart {
  apart(Restriction const& of, Halo const& halo)
  {
    agree_on_check(halo, "levels", [&] {
      if (!is_whole<Halo> && of.components() > 1 && of.options().components_lie != interleaving::fastest)
        fail("levels",
             "components of continuous functions lie one behind the other (interleaving::slowest, fastest expected): "
             "behind discontinuous ones on several processes make their restriction with components that lie side by "
             "side");
      entries = components_apart<Directions>("levels", of);
    });
    shared = halo_of_components(of, halo);
  }

  own_pointer<Restriction const> entries;
  own_pointer<Halo const> shared;

private:
  static own_pointer<Halo const> halo_of_components([[maybe_unused]] Restriction const& of, Halo const& halo)
  {
    if constexpr (is_whole<Halo>) {
      return {};
    } else {
      own_vector<unsigned char> const all(static_cast<std::size_t>(of.size()), 1);
      return own_pointer<Halo const>(
          new Halo(halo.subset(view<unsigned char const, dextents<1>>(all.data(), of.size()), of.components())));
    }
  }
};

// A transfer to components that are elements of their own, from continuous functions of as many.
template <class Apart, class Transfer>
class transfer_of_components : Apart, public Transfer {
public:
  template <class Restriction>
  transfer_of_components(Restriction const& fine, Apart coarse)
      : Apart(std::move(coarse)), Transfer(fine, *static_cast<Apart const&>(*this).entries)
  {
  }
  template <class Restriction, class Halo>
  transfer_of_components(Restriction const& fine, Halo const& halo, Apart coarse)
      : Apart(std::move(coarse)),
        Transfer(fine, halo, *static_cast<Apart const&>(*this).entries, *static_cast<Apart const&>(*this).shared)
  {
  }
};

}  // namespace detail

// Of a sum on E-vectors: a discontinuous function has each node of each element for itself, so that transfers are those
// between restrictions, to which components are elements; in parts no node is a ghost. The next level's functions may
// be continuous ones of the same degree, and of as many components.
//
//     sumfac::levels{sumfac::level{A}, sumfac::level{K, R}, sumfac::level{K1, R1}}
template <class First, class... Faces, class Halo>
  requires detail::acts_on_elements<First>
class level<sum<First, Faces...>, Halo> {
public:
  using matrix_type = sum<First, Faces...>;
  using operator_type = First;
  using scalar_type = typename First::scalar_type;
  using backend_type = typename First::backend_type;
  using restriction_type = sumfac::restriction<scalar_type, backend_type>;
  static constexpr int order = First::order;
  static constexpr auto space = detail::space_of_operator<First>();
  static constexpr bool discontinuous = true;

  explicit level(matrix_type const& a) : matrix_(&a), restriction_(each_for_itself(a)), halo_(halo_of_nodes(a)) {}
  explicit level(matrix_type const&&) = delete;

  matrix_type const& matrix() const { return *matrix_; }
  restriction_type const& restriction() const { return *restriction_; }
  Halo const& halo() const { return *halo_; }
  backend_type const& backend() const { return matrix_->backend(); }
  index_t size() const { return matrix_->size(); }
  index_t elements() const { return restriction().elements() / First::components; }
  jacobi<scalar_type, backend_type> make_jacobi() const { return jacobi<scalar_type, backend_type>(*matrix_); }
  template <class Coarser>
  auto make_transfer([[maybe_unused]] Coarser const& next, restriction_type const& coarse) const
  {
    using made = transfer<space, Coarser::space, scalar_type, backend_type, Halo>;
    using apart = detail::apart<First::directions, restriction_type, Halo>;
    constexpr bool fits = detail::is_cut_as<Coarser, Halo>();
    static_assert(fits,
                  "sumfac::level: the sum is of a mesh in parts, and the next level is not, or has a halo of another "
                  "type: p_levels<4, 2>(A, L, nodes), of a global_operator L{K, R, halo}");
    if constexpr (First::components > 1 && !detail::has_jumps<Coarser>()) {
      detail::agree_on_check(halo(), "levels", [&] {
        check_equal("levels", "number of components of the coarser level's restriction", First::components,
                    coarse.components());
      });
      if constexpr (detail::is_whole<Halo>)
        return detail::transfer_of_components<apart, made>(restriction(), apart(coarse, halo()));
      else if constexpr (fits)
        return detail::transfer_of_components<apart, made>(restriction(), halo(), apart(coarse, next.halo()));
    } else if constexpr (detail::is_whole<Halo>) {
      return made(restriction(), coarse);
    } else if constexpr (fits) {
      return made(restriction(), halo(), coarse, next.halo());
    }
  }

private:
  static auto halo_of_nodes([[maybe_unused]] matrix_type const& a)
  {
    if constexpr (detail::is_whole<Halo>) {
      return detail::own_pointer<Halo const>(new whole);
    } else {
      auto const& elements = a.halo_of_elements();
      constexpr int each = First::components * First::options::problem::nodes_of_element;
      detail::own_vector<unsigned char> own(static_cast<std::size_t>((elements.owned() + elements.ghosts()) * each), 0);
      for (index_t i = 0; i < elements.owned() * each; ++i) own[static_cast<std::size_t>(i)] = 1;
      view<unsigned char const, dextents<1>> const chosen(own.data(), static_cast<index_t>(own.size()));
      return detail::own_pointer<Halo const>(new Halo(elements.subset(chosen, each)));
    }
  }
  static auto each_for_itself(matrix_type const& a)
  {
    detail::own_vector<detail::node_table::number> numbers(static_cast<std::size_t>(a.size()));
    detail::node_table::number next = 0;
    for (auto& number : numbers) number = next++;
    index_t elements = a.size();
    for (int d = 0; d < First::directions; ++d) elements /= First::nodes_1d;
    return detail::own_pointer<restriction_type const>(
        new restriction_type(a.backend(),
                             detail::element_view<First::directions, detail::node_table::number const>(
                                 numbers.data(), elements, First::nodes_1d),
                             a.size()));
  }

  matrix_type const* matrix_;
  detail::own_pointer<restriction_type const> restriction_;
  detail::own_pointer<Halo const> halo_;  // of nodes
};

template <class... Parts>
level(sum<Parts...> const&) -> level<sum<Parts...>, typename sum<Parts...>::halo_type>;

// Levels of a sum A on E-vectors, of discontinuous functions, and behind it those of K, its operator within elements,
// for continuous ones: p_levels<4, 2, 1>(A, K, mesh, R), R being that of continuous functions, 0 where A has u = 0 on
// the boundary. Continuous functions have no jumps, so that A is K for them, with whatever it has on the boundary left
// out. The first degree is K's, A's or a lower one. Refers to A, K and R, which must live as long.
//
// Of a mesh in parts p_levels<4, 2, 1>(A, L, nodes), with a global_operator L{K, R, halo} of this process' elements and
// the halo of their nodes.
template <int... Orders, class First, class... Faces, class Within, class Nodes, class... Restriction>
  requires(detail::acts_on_elements<First> && sizeof...(Restriction) < 2)
auto p_levels(sum<First, Faces...> const& a, Within const& k, Nodes const& nodes, Restriction const&... r)
{
  return detail::make_levels<void, Orders...>(k, nodes, r..., unsaid_nodes{}, geometry_tolerance, false, level{a});
}
// The continuous ones in numbers of their own, as in p_levels<float, 4, 2, 1>(A, K, mesh, R); they refer to K no longer
// than this call.
template <class Numbers, int... Orders, class First, class... Faces, class Within, class Nodes, class... Restriction>
  requires(detail::acts_on_elements<First> && sizeof...(Restriction) < 2)
auto p_levels(sum<First, Faces...> const& a, Within const& k, Nodes const& nodes, Restriction const&... r)
{
  return detail::make_levels<Numbers, Orders...>(k, nodes, r..., unsaid_nodes{}, geometry_tolerance, false, level{a});
}

}  // namespace sumfac
