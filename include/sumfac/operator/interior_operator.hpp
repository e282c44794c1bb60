// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The operator of a form of two sides on the faces of a mesh: discontinuous Galerkin's terms between elements.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/element/kernel/interior_diagonal.hpp>
#include <sumfac/element/kernel/interior_factors.hpp>
#include <sumfac/mesh/mesh.hpp>
#include <sumfac/operator/detail/face_part.hpp>
#include <sumfac/operator/detail/face_promises.hpp>
#include <sumfac/operator/detail/operator_arguments.hpp>
#include <sumfac/operator/detail/operator_options.hpp>
#include <sumfac/operator/element_sum.hpp>

#include <concepts>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET {

// v = F u on E-vectors, where F is a form of two sides integrated over the faces between elements, and over the
// boundary where the form has an exterior().
//
// Functions are discontinuous: an E-vector is the whole of their degrees of freedom. Element by element all sides are
// worked, each of whose faces is evaluated from both of its elements, so that v is written once and is the same for any
// number of threads.
// **Shapes** mesh nodes (E, m, m, m, 3), (E, m, m, 2) of quadrilaterals, (E, m, 1) of lines; u and v (E, n, n, n),
// (E, C, n, n, n) for C > 1 components, of any layout, with an n for each direction.
// **Work** per side of each element and component some 8 n^3 + 16 n^2 g + 16 n g^2 + 16 g^3 flops on hexahedra, where
// the form has gradients, half as many where not. Of the element behind a side are read n^2 entries where the form has
// values at nodes of Gauss and Lobatto alone, else n^3; and the factors of g^2 points.
// **Errors** (compile time) a form that keeps a promise not; (run time) argument_error for shapes, null, aliasing, and
// pairs of another mesh; geometry_error for an element that has no gradients on a side, and for sides that differ in
// area.
template <class Form, auto Space, class... Options>
class basic_interior_operator : detail::interior_promises<detail::operator_options<Form, Space, Options...>> {
public:
  using options = detail::operator_options<Form, Space, Options...>;  // by name
  using form_type = Form;
  using points_type = typename options::points;
  using scalar_type = typename options::numbers;
  using backend_type = typename options::backend;

  static constexpr int order = detail::degree_of<Space>, nodes_1d = order + 1, points_1d = points_type::size;
  static constexpr int directions = detail::directions_of<Space>, components = components_of<Form>;
  static constexpr bool linear = is_linear<Form>, symmetric = may_be_symmetric<Form>;
  using halo_type = typename options::halo;  // `whole` where one process has the mesh
  static constexpr bool in_parts = !detail::is_whole<halo_type>;

  // The mesh nodes are not kept. `node_set` says where the m nodes of a mesh element's edge lie; m = 2 and 3 need none.
  template <class Nodes, class NodeSet = unsaid_nodes>
    requires(is_view<Nodes> && !in_parts)
  basic_interior_operator(backend_type const& backend, Nodes const& nodes, face_pairs const& pairs,
                          Form const& form = detail::form_by_default<Form>(), NodeSet const& node_set = {})
      : basic_interior_operator(whole{}, backend, nodes, pairs, form, node_set)
  {
  }
  basic_interior_operator(backend_type const& backend, mesh<directions> const& of,
                          Form const& form = detail::form_by_default<Form>())
    requires(!in_parts)
      : basic_interior_operator(backend, of.nodes(), of.interior_faces(), form)
  {
  }
  // Of a mesh in parts, made by all processes at once: nodes and pairs of the process' own elements and, behind them,
  // ghosts, the elements of others behind their sides, in the order of the halo's. Refers to the halo, which must live
  // as long.
  template <class Nodes, class NodeSet = unsaid_nodes>
    requires(is_view<Nodes> && in_parts)
  basic_interior_operator(backend_type const& backend, Nodes const& nodes, face_pairs const& pairs,
                          halo_type const& halo, Form const& form = detail::form_by_default<Form>(),
                          NodeSet const& node_set = {})
      : basic_interior_operator(halo, backend, nodes, part::seen_by(halo, nodes.extent(0), pairs), form, node_set)
  {
  }
  basic_interior_operator(backend_type const& backend, mesh<directions> const& of, halo_type const& halo,
                          Form const& form = detail::form_by_default<Form>())
    requires in_parts
      : basic_interior_operator(backend, of.nodes(), of.interior_faces(), halo, form)
  {
  }
  template <class Nodes, class NodeSet = unsaid_nodes>
    requires(is_view<Nodes> && in_parts)
  basic_interior_operator(backend_type const& backend, Nodes const& nodes, face_pairs const& pairs,
                          halo_type const&& halo, Form const& form = detail::form_by_default<Form>(),
                          NodeSet const& node_set = {})
      : basic_interior_operator(backend, nodes, pairs, refuse_temporary<Nodes>(halo), form, node_set)
  {
  }
  template <class Mesh>
    requires(std::derived_from<Mesh, mesh<directions>> && in_parts)
  basic_interior_operator(backend_type const& backend, Mesh const& of, halo_type const&& halo,
                          Form const& form = detail::form_by_default<Form>())
      : basic_interior_operator(backend, of, refuse_temporary<Mesh>(halo), form)
  {
  }

  // v = F u, or v = v + F u.
  template <class From, class To>
  void apply(From const& u, To const& v) const
  {
    launch("interior_operator::apply", false, v, u);
  }
  template <class From, class To>
  void apply_add(From const& u, To const& v) const
  {
    launch("interior_operator::apply_add", true, v, u);
  }
  // Of a tangent: v = F'(state) w, or v = v + F'(state) w.
  template <class State, class From, class To>
  void apply(State const& state, From const& w, To const& v) const
  {
    launch("interior_operator::apply", false, v, w, state);
  }
  template <class State, class From, class To>
  void apply_add(State const& state, From const& w, To const& v) const
  {
    launch("interior_operator::apply_add", true, v, w, state);
  }

  // d = the diagonal of F, or d = d + it. For set-up.
  template <class Diagonal>
  void diagonal(Diagonal const& d) const
  {
    set_diagonal("interior_operator::diagonal", false, d);
  }
  template <class Diagonal>
  void diagonal_add(Diagonal const& d) const
  {
    set_diagonal("interior_operator::diagonal_add", true, d);
  }

  index_t elements() const { return part_.elements(); }  // in parts those of this process
  Form const& form() const { return form_; }
  Form& form() { return form_; }  // to change members that only apply() reads
  backend_type const& backend() const { return backend_; }
  halo_type const& halo() const
    requires in_parts
  {
    return part_.halo();
  }

private:
  using problem = typename options::problem;
  using number = detail::form_number<backend_type, scalar_type>;
  using part = detail::face_part<problem, number, backend_type, halo_type>;
  using ghosts = typename part::ghosts_type;
  template <class... Terms>
  friend class sum;

  template <class Of>
  static halo_type const& refuse_temporary(halo_type const& halo)
  {
    static_assert(detail::never<Of>,
                  "sumfac::interior_operator: it refers to the halo, which may not be a temporary: give it a name, and "
                  "keep it as long as the operator");
    return halo;
  }

  template <class Nodes, class NodeSet>
  basic_interior_operator(halo_type const& halo, backend_type const& backend, Nodes const& nodes,
                          face_pairs const& pairs, Form const& form, NodeSet const& node_set)
      : backend_(backend), form_(form), part_(backend, halo, nodes.extent(0), pairs)
  {
    constexpr auto here = "interior_operator";
    if constexpr (detail::are_interior_nodes<Nodes, directions>()) {
      detail::check_mesh_nodes(here, nodes);
      factors_.set_up(backend, detail::plain_nodes(nodes), form, detail::said_nodes(here, nodes, node_set), pairs,
                      elements());
    }
  }

  template <class To, class... From>
  void launch(char const* where, bool adds, To const& v, From const&... u) const
  {
    if constexpr (detail::are_interior_vectors<Form, scalar_type, To, From...>()) {
      (detail::check_distinct(where, u, v), ...);
      auto const k = kernel_of(where, adds, v, u...);
      part_.sweep(backend_, k, k.u, [&] { return kernel_of<ghosts, true>(where, adds, v, u...); });
    }
  }
  template <class Diagonal>
  void set_diagonal(char const* where, bool adds, Diagonal const& d) const
  {
    static_assert(linear && inputs_of<Form>::count == 0,
                  "sumfac::interior_operator: a form that is not linear, and a tangent, have no diagonal");
    if constexpr (linear && detail::are_interior_vectors<Form, scalar_type, Diagonal, Diagonal>()) {
      detail::interior_diagonal<problem, number> const k{{}, kernel_of<detail::no_ghosts, true>(where, adds, d, d)};
      if (elements() > 0) backend_.launch(k, part_.groups());
    }
  }
  // On devices with Parts, or without, as interior_kernel tells.
  template <class Ghosts = ghosts, bool Parts = (width_of<number> > 1), int MostBytes = detail::usual_side_bytes,
            class To, class... From>
  auto kernel_of(char const* where, bool adds, To const& v, From const&... u) const
  {
    detail::interior_kernel<problem, number, Ghosts, Parts, MostBytes> k{
        {},
        form_,
        {detail::constant_entries(detail::describe<components, directions>(where, "u", u, elements(), nodes_1d))...},
        detail::describe<components, directions>(where, "v", v, elements(), nodes_1d),
        adds,
        part_.behind(),
        part_.parts(),
        factors_.template read<Parts>()};
    if constexpr (!std::is_same_v<Ghosts, detail::no_ghosts>) k.ghosts = part_.ghosts();
    return k;
  }

  backend_type backend_;
  Form form_;
  part part_;
  detail::interior_factors<problem, number, backend_type> factors_;
};

// An interior operator by its options: a rule of points (gauss<degree + 2> where none is said), double or float, a
// backend, and of a mesh in parts the type of its halo, in any order.
template <class Form, auto Space, class... Options>
using interior_operator = typename detail::checked_operator<basic_interior_operator, Form, Space, Options...>::type;

}  // namespace sumfac
