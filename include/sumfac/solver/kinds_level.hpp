// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Levels of multigrid whose matrix is a sum with a mesh for each part, as on elements of several kinds and with terms
// on the boundary: sums of falling degree.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/operator/sum.hpp>
#include <sumfac/solver/detail/coarse_nodes.hpp>
#include <sumfac/solver/detail/level_data.hpp>
#include <sumfac/solver/detail/level_maker.hpp>
#include <sumfac/solver/detail/level_rows.hpp>
#include <sumfac/solver/detail/restriction_in.hpp>
#include <sumfac/solver/detail/transfer_sweep.hpp>
#include <sumfac/solver/level.hpp>
#include <sumfac/solver/p_levels.hpp>
#include <sumfac/solver/preconditioner.hpp>
#include <sumfac/solver/transfer.hpp>

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace sumfac::SUMFAC_TARGET {

namespace detail {

// The restrictions of several kinds of elements, of the same vectors.
template <class Restriction, int Kinds>
struct restrictions_of_kinds {
  Restriction const* of_kind[Kinds];

  Restriction const& at(int kind) const { return *of_kind[kind]; }
  index_t elements() const
  {
    index_t sum = 0;
    for (auto const* r : of_kind) sum += r->elements();
    return sum;
  }
};

// Those of a transfer, as levels have them.
template <class Restrictions>
class ends_of_kinds {
protected:
  static constexpr bool has_whole = false;

  ends_of_kinds(Restrictions const& fine, Restrictions const& coarse) : fine_(fine), coarse_(coarse) {}
  auto const& fine(int kind) const { return fine_.at(kind); }
  auto const& coarse(int kind) const { return coarse_.at(kind); }
  static bool has_rows() { return false; }
  static own_vector<index_t> whole_entries() { return {}; }

private:
  Restrictions fine_, coarse_;
};

// Operator and restriction of a part of a level's own.
template <class Operator>
struct own_part {
  own_operator<Operator> a;
  own_pointer<restriction<typename Operator::scalar_type, typename Operator::backend_type> const> r;
};

template <class Sum, int Index>
using operator_of_part =
    typename std::remove_cvref_t<decltype(std::declval<Sum const&>().template at<Index>())>::operator_type;

}  // namespace detail

// A matrix of multigrid on elements of several kinds, as p_levels makes it: a sum whose first Kinds parts are operators
// of one kind each. Transfers go by their restrictions; what follows in the sum is of the same nodes.
template <class Sum, int Kinds>
class kinds_level;
template <class... Parts, int Kinds>
class kinds_level<sum<Parts...>, Kinds> {
public:
  using matrix_type = sum<Parts...>;
  using scalar_type = typename matrix_type::scalar_type;
  using backend_type = typename matrix_type::backend_type;
  using halo_type = typename matrix_type::halo_type;
  using restriction_type = detail::restrictions_of_kinds<sumfac::restriction<scalar_type, backend_type>, Kinds>;
  static constexpr int order = detail::operator_of_part<matrix_type, 0>::order;
  static constexpr bool discontinuous = false;

  // Refers to the sum, which must live as long.
  explicit kinds_level(matrix_type const& a) : matrix_(&a) {}
  explicit kinds_level(matrix_type const&&) = delete;
  // Owns what it is made of, but the halo where the pointer to an own one is empty; numbers in front are those of `of`.
  template <class Of>
  kinds_level(Of const& of, detail::own_pointer<halo_type const> own_halo,
              detail::own_part<typename Parts::operator_type>... parts)
      : own_(std::move(parts)...), own_halo_(std::move(own_halo))
  {
    halo_type const& shared = own_halo_.empty() ? of.template at<0>().halo() : *own_halo_;
    auto const make = [&]<class Part>(std::type_identity<Part>, auto const& own, auto const& model) {
      part<typename Part::operator_type, typename Part::restriction_type, detail::unscaled, halo_type> const made(
          *own.a.at, *own.r, shared, model.options());
      if constexpr (Part::is_scaled)
        return model.scale() * made;
      else
        return made;
    };
    [&]<std::size_t... Index>(std::index_sequence<Index...>) {
      own_matrix_ = detail::own_pointer<matrix_type>(
          new matrix_type(make(std::type_identity<Parts>{}, std::get<Index>(own_), of.template at<int{Index}>())...));
    }(std::index_sequence_for<Parts...>{});
    matrix_ = &*own_matrix_;
    of_ = &of;
    take_scales_ = [](void const* from, matrix_type& to) { copy_scales<0>(*static_cast<Of const*>(from), to); };
  }

  matrix_type const& matrix() const { return *matrix_; }
  restriction_type restriction() const
  {
    return [&]<std::size_t... Kind>(std::index_sequence<Kind...>) {
      return restriction_type{{&matrix_->template at<int{Kind}>().restriction()...}};
    }(std::make_index_sequence<Kinds>{});
  }
  halo_type const& halo() const { return matrix_->template at<0>().halo(); }
  backend_type const& backend() const { return matrix_->backend(); }
  index_t size() const { return matrix_->size(); }
  // The numbers in front of the parts of its own sum become those of the sum that it was made of.
  void take_scales() const
  {
    if (of_ != nullptr) take_scales_(of_, *own_matrix_);
  }
  // So do the parameters of its parts' weak forms.
  void take_parameters() const
  {
    std::apply([](auto const&... part) { (part.a.take_parameters(), ...); }, own_);
  }
  jacobi<scalar_type, backend_type> make_jacobi() const { return jacobi<scalar_type, backend_type>(*matrix_); }
  // From a coarser level to this one.
  template <class Coarser>
  auto make_transfer(Coarser const& next, restriction_type const& coarse) const
  {
    return [&]<std::size_t... Kind>(std::index_sequence<Kind...> const& kinds) {
      using made = detail::transfer_sweeps<
          detail::ends_of_kinds<restriction_type>, scalar_type, backend_type, halo_type,
          detail::transfer_tables<
              detail::space_of_operator<detail::operator_of_part<matrix_type, int{Kind}>>(),
              detail::space_of_operator<detail::operator_of_part<typename Coarser::matrix_type, int{Kind}>>(),
              scalar_type, backend_type>...>;
      return made(kinds, halo(), nullptr, next.halo(), nullptr, matrix_->template at<0>().options(), restriction(),
                  coarse);
    }(std::make_index_sequence<Kinds>{});
  }

private:
  template <int Index, class Of>
  static void copy_scales(Of const& from, matrix_type& to)
  {
    if constexpr (Index < matrix_type::terms) {
      if constexpr (std::tuple_element_t<Index, std::tuple<Parts...>>::is_scaled)
        to.template set_scale<Index>(from.template at<Index>().scale());
      copy_scales<Index + 1>(from, to);
    }
  }

  std::tuple<detail::own_part<typename Parts::operator_type>...> own_;
  detail::own_pointer<halo_type const> own_halo_;
  detail::own_pointer<matrix_type> own_matrix_;
  matrix_type const* matrix_;
  void const* of_ = nullptr;  // the sum that an own one was made of
  void (*take_scales_)(void const* from, matrix_type& to) = nullptr;
};

namespace detail {

// The nodes of a lower degree on the elements of all parts of a sum: one is what a node of any part says, on all
// processes.
template <int Order, class... Parts>
auto nodes_of_parts(sum<Parts...> const& a)
{
  auto const& halo = a.template at<0>().halo();
  auto const of_part = [&](auto const& p, auto const& agree) {
    constexpr auto elements = space_of<std::remove_cvref_t<decltype(p)>::operator_type::options::space>;
    return coarse_nodes(host_of(a.backend()), p.restriction().table(), {elements, Order}, numbers_in_mesh(halo), agree);
  };
  coarse_nodes::node_flags all;
  a.for_each([&](auto const& p) {
    of_part(p, [&](coarse_nodes::node_flags& flags) {
      for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i] != 0) flags[i] = 1;
      all = flags;
    });
  });
  agree_on_flags(halo, 1 + a.restriction().components(), all);
  return [&]<std::size_t... Index>(std::index_sequence<Index...>) {
    auto const agreed = [&](coarse_nodes::node_flags& flags) { flags = all; };
    return std::array{of_part(a.template at<int{Index}>(), agreed)...};
  }(std::index_sequence_for<Parts...>{});
}

// How many kinds of elements a mesh has, or a part of a space.
template <class Nodes>
constexpr int kinds_of()
{
  if constexpr (requires { Nodes::kinds; })
    return Nodes::kinds;
  else
    return 1;
}

// Mesh nodes of each kind of elements, as a tuple: of a mesh or a part of a space, of one kind or several.
template <class Nodes>
auto nodes_of_kinds(Nodes const& nodes)
{
  if constexpr (requires { nodes.template at<0>(); })
    return [&]<std::size_t... Kind>(std::index_sequence<Kind...>) {
      return std::tuple_cat(nodes_of_kinds(nodes.template at<int{Kind}>())...);
    }(std::make_index_sequence<std::size_t{Nodes::kinds}>{});
  else if constexpr (requires { nodes.mesh_nodes(); })
    return std::tuple(nodes.mesh_nodes());
  else
    return std::tuple<Nodes const&>(nodes);
}

// Whether elements are those of mesh nodes, where these say.
template <class Operator, class Nodes>
constexpr bool on_nodes()
{
  constexpr space elements = space_of<Operator::options::space>;
  if constexpr (requires { Nodes::shape; })
    return elements.shape == Nodes::shape && elements.directions == Nodes::directions;
  else
    return true;
}

// Whether a sum is of operators on these elements, and has levels of these degrees.
template <class Nodes, int... Orders, class... Parts, std::size_t... Index>
constexpr bool parts_fit(sum<Parts...> const*, std::index_sequence<Index...>)
{
  using halo_type = typename sum<Parts...>::halo_type;
  constexpr bool as_many = sizeof...(Parts) == std::tuple_size_v<Nodes>,
                 divides = is_whole<halo_type> || halo_with_subsets<halo_type>;
  static_assert(divides, "sumfac::p_levels: the halo has no number(node) and subset(chosen), as sumfac::mpi::halo has");
  static_assert(as_many,
                "sumfac::p_levels: a sum has levels where each of its parts has a mesh, as those of sum_by_kind have: "
                "behind the mesh pass those of terms on the boundary, p_levels<2, 1>(A, mesh, V.on(sides).mesh())");
  constexpr bool of_volume = !works_on_faces<operator_of_part<sum<Parts...>, 0>>;
  static_assert(of_volume,
                "sumfac::p_levels: the first part of the sum, by whose restriction transfers go, is a face_operator: "
                "put that of the volume first");
  if constexpr (as_many && divides && of_volume) {
    constexpr bool in_order =
        (on_nodes<typename Parts::operator_type, std::remove_cvref_t<std::tuple_element_t<Index, Nodes>>>() && ...);
    static_assert(in_order,
                  "sumfac::p_levels: the sum's parts are not on the elements of the meshes in their order: pass the "
                  "meshes of its operators, the first part's first");
    return in_order && (levels_fit<typename Parts::operator_type, false, Orders...>() && ...);
  } else {
    return false;
  }
}

template <class Numbers, int... Orders, class... Parts, class Mesh, class... Others>
auto make_levels_of_kinds(sum<Parts...> const& a, Mesh const& mesh, Others const&... others)
{
  constexpr std::index_sequence_for<Parts...> parts;
  using sum_type = sum<Parts...>;
  auto const nodes = std::tuple_cat(nodes_of_kinds(mesh), nodes_of_kinds(others)...);
  if constexpr (parts_fit<std::remove_const_t<decltype(nodes)>, Orders...>(static_cast<sum_type const*>(nullptr),
                                                                           parts)) {
    unsaid_nodes const set;
    return [&]<std::size_t... Index>(std::index_sequence<Index...> const&) {
      std::tuple const makers{
          level_maker<Numbers, Parts, std::remove_cvref_t<decltype(std::get<Index>(nodes))>, unsaid_nodes>(
              a.template at<int{Index}>(), std::get<Index>(nodes), set, geometry_tolerance)...};
      auto const make = [&]<int Order>(std::integral_constant<int, Order>) {
        using first = operator_of_part<sum_type, 0>;
        using made = kinds_level<
            sum<typename Parts::template with<operator_at<typename Parts::operator_type, Order, Numbers>>...>,
            kinds_of<Mesh>()>;
        using scalar = typename made::scalar_type;
        if constexpr (Order == first::order && std::is_same_v<Numbers, typename first::precision_type>) {
          return made(a);
        } else if constexpr (Order == first::order) {
          return made(a, {},
                      {std::get<Index>(makers).template make_operator<Order>(),
                       restriction_in<scalar>(a.template at<int{Index}>().restriction())}...);
        } else {
          auto coarse = nodes_of_parts<Order>(a);
          return made(a, subset_of_halo(a.template at<0>().halo(), coarse[0], a.restriction().nodes()),
                      {std::get<Index>(makers).template make_operator<Order>(),
                       std::get<Index>(makers).template make_restriction<Order>(coarse[Index])}...);
        }
      };
      return levels{make(std::integral_constant<int, Orders>{})...};
    }(parts);
  }
}

}  // namespace detail

// Levels of a sum, by the mesh of its elements, of one kind or several, p_levels<3, 1>(A, mesh): of lower degrees sums
// of operators of the same forms, with one number for a node of several kinds. Refers to A, which must live as long.
// They end with the degrees, also where the mesh was refined from another one.
//
// Behind the mesh come those of the sum's further parts, as of terms on the boundary, in the order of the sum:
//
//     auto const on_wall = V.on(wall);
//     auto const B = sumfac::sum_by_kind<3>(backend, on_wall, integrate(alpha * u * v));
//     auto const L = A + B;
//     sumfac::multigrid const P{sumfac::p_levels<3, 1>(L, mesh, on_wall.mesh())};
//
// Of a face_operator they are those that it was made of, of the elements behind its faces. Its form has the same
// members on all levels: a penalty is that of the first degree, which is enough for lower ones.
//
// In parts they are the sumfac::mpi::space_part and what its on(wall) is, or mesh nodes, and all processes call it at
// once.
// **Errors** as those of operators; (compile time) a sum with parts on other elements.
template <int... Orders, class... Parts, class Mesh, class... Others>
  requires(detail::is_part<Parts> && ...)
auto p_levels(sum<Parts...> const& a, Mesh const& mesh, Others const&... others)
{
  using numbers = typename detail::operator_of_part<sum<Parts...>, 0>::precision_type;
  return detail::make_levels_of_kinds<numbers, Orders...>(a, mesh, others...);
}
// The same in numbers of their own, as in p_levels<float, 3, 1>(A, mesh).
template <class Numbers, int... Orders, class... Parts, class Mesh, class... Others>
  requires(detail::is_part<Parts> && ...)
auto p_levels(sum<Parts...> const& a, Mesh const& mesh, Others const&... others)
{
  return detail::make_levels_of_kinds<Numbers, Orders...>(a, mesh, others...);
}

}  // namespace sumfac
