// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The operator on faces that knows the elements behind them: a form of values and whole gradients there.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/host.hpp>
#include <sumfac/basis/quadrature.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/config.hpp>
#include <sumfac/dofs/restriction.hpp>
#include <sumfac/dofs/vectors/vector_checks.hpp>
#include <sumfac/element/kernel/face_diagonal.hpp>
#include <sumfac/element/kernel/face_factors.hpp>
#include <sumfac/element/kernel/face_kernel.hpp>
#include <sumfac/element/kernel/launch_groups.hpp>
#include <sumfac/element/kernel/problem.hpp>
#include <sumfac/element/vectors/host_global.hpp>
#include <sumfac/element/vectors/host_vectors.hpp>
#include <sumfac/element/vectors/team_global.hpp>
#include <sumfac/element/vectors/team_vectors.hpp>
#include <sumfac/error.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/mesh/face_mapping.hpp>
#include <sumfac/mesh/mesh_nodes.hpp>
#include <sumfac/operator/detail/application.hpp>
#include <sumfac/operator/detail/call_checks.hpp>
#include <sumfac/operator/detail/face_promises.hpp>
#include <sumfac/operator/detail/operator_options.hpp>
#include <sumfac/view/view.hpp>

namespace sumfac::SUMFAC_TARGET {

// y = B x, where B is a form integrated over faces on functions of the elements behind them: what terms need that have
// the gradient across the boundary, as those of Nitsche's method; and the form at the points, as fluxes and tractions.
//
// The form is one as operators have them, whose setup takes a face_mapping<T, Dim>, and whose gradients have as many
// directions as the elements. Both are of the element turned so that the face is where its last coordinate is 1; so are
// the mesh nodes, owner_nodes(nodes, faces), and the table of the restriction, owner_table(table, faces). The result is
// the same for any number of threads. A const operator may be applied by several threads at once, each with a
// restriction of its own. On devices vectors are in the device's memory, mesh nodes in the host's.
// **Shapes** mesh nodes (F, m, m, m, 3), or (F, m, m, 2) of the faces of quadrilaterals, which must have nodes that
// lie symmetrically on edges; x and y as the restriction has them; u and v (F, n, n, n), (F, C, n, n, n) for C > 1
// components, (F, n, n) and (F, C, n, n) of quadrilaterals, of any layout: of the turned elements.
// **Work** per face and component some 8 n^3 + 16 n^2 g + 16 n g^2 + 16 g^3 flops on hexahedra; the n^3 nodes behind
// it are read and added to, and the factors of g^2 points are read.
// **Errors** (compile time) a form that keeps a promise not; (run time) argument_error for shapes, null, aliasing and
// mesh nodes that do not lie symmetrically; geometry_error for an element that has no gradients on its face.
template <class Form, auto Space, class... Options>
class basic_face_operator : detail::face_promises<detail::operator_options<Form, Space, Options...>> {
public:
  using options = detail::operator_options<Form, Space, Options...>;  // by name
  using form_type = Form;
  using points_type = typename options::points;
  using precision_type = typename options::numbers;
  using scalar_type = precision_type;
  using arithmetic_type = scalar_type;
  using factor_type = scalar_type;
  using backend_type = typename options::backend;
  using nodes_type = detail::nodes_of_space<Space>;
  using restriction_type = restriction<scalar_type, backend_type>;
  // That of the same form in another space, by another rule, in other numbers, as on a level of multigrid.
  template <auto Other, class Points, class Numbers>
  using with =
      typename detail::operator_type<sumfac::basic_face_operator, Form, Other, Points, backend_type, Numbers>::type;

  static constexpr int order = detail::degree_of<Space>, nodes_1d = order + 1, points_1d = points_type::size;
  static constexpr int directions = detail::directions_of<Space>, components = components_of<Form>;
  static constexpr int coordinates = directions, axes = directions;
  static constexpr node_placement placement = detail::space_of<Space>.nodes;
  static constexpr bool has_one_space = true;
  static constexpr bool linear = is_linear<Form>, symmetric = may_be_symmetric<Form>;

  // `node_set` says where the m nodes of a mesh element's edge lie; m = 2 and 3 need none. The mesh nodes are not kept.
  template <class Nodes, class NodeSet = unsaid_nodes>
  basic_face_operator(backend_type const& backend, Nodes const& nodes,
                      Form const& form = detail::form_by_default<Form>(), NodeSet const& node_set = {})
      : backend_(backend), form_(form)
  {
    if constexpr (detail::are_owner_nodes<Nodes, directions>()) {
      factors_.set_up(backend, detail::plain_nodes(nodes), form, detail::said_nodes("face_operator", nodes, node_set));
      faces_ = nodes.extent(0);
    }
  }

  // y = B x: R^T B R x, and at constrained entries as the restriction says; or added to y.
  template <class From, class To>
  void apply(restriction_type const& r, From const& x, To const& y) const
  {
    if constexpr (detail::are_global<scalar_type, From, To>())
      call("face_operator::apply").write(r, const_view(x), vector_view(y));
  }
  template <class From, class To>
  void apply_add(restriction_type const& r, From const& x, To const& y) const
  {
    if constexpr (detail::are_global<scalar_type, From, To>())
      call("face_operator::apply_add").add(r, const_view(x), vector_view(y));
  }
  // v = B u on E-vectors of the elements behind the faces.
  template <class From, class To>
  void apply(From const& u, To const& v) const
  {
    call("face_operator::apply").on_elements(u, v);
  }

  // d = the diagonal of what apply() multiplies by.
  template <class Diagonal>
  void diagonal(restriction_type const& r, Diagonal const& d) const
  {
    constexpr auto here = "face_operator::diagonal";
    if constexpr (has_diagonal() && detail::are_global<scalar_type, Diagonal, Diagonal>()) {
      if (auto const twice = r.repeated_node(); twice.element >= 0)
        failf(here,
              "the element behind face %lld has node %lld more than once, so that the matrix has more on its diagonal "
              "than its elements have: solve without a preconditioner",
              static_cast<long long>(twice.element), static_cast<long long>(twice.node));
      call(here).diagonal(r, vector_view(d));
    }
  }
  template <class Diagonal>
  void diagonal(Diagonal const& d) const
  {
    if constexpr (has_diagonal()) call("face_operator::diagonal").diagonal(d);
  }

  // t = the values that the form's apply() returns at the points, not integrated: of a form that leaves out measure()
  // they are fluxes or tractions there.
  //
  // **Shapes** t (F, g, g), or (F, C, g, g) for C > 1 components; (F, g) and (F, C, g) where elements are
  // quadrilaterals: in the order of the turned elements' points, x fastest, which is that of face_nodes(), and on
  // quadrilaterals its reverse.
  template <class From, class To>
  void at_points(restriction_type const& r, From const& x, To const& t) const
  {
    constexpr auto here = "face_operator::at_points";
    if constexpr (detail::are_global<scalar_type, From, To, false>()) {
      detail::check_restriction(here, *this, r);
      detail::check_global(here, "x", const_view(x), r);
      auto const to = detail::describe<components, directions - 1>(here, "t", t, faces_, points_1d);
      detail::check_distinct(here, x, t, "x", "t");
      if (static_cast<index_t>(r.active().size()) != r.elements())
        failf(here, "the restriction is a subset (%lld of %lld faces): pass the whole",
              static_cast<long long>(r.active().size()), static_cast<long long>(r.elements()));
      if (faces_ == 0) return;
      using vectors = typename choice::global_vectors;
      using kernel = detail::face_points_kernel<detail::face_kernel<problem, vectors, number>>;
      auto const of = [&](vectors const& of_x) { return kernel{kernel_of(detail::as_it_is{}, of_x), to}; };
      index_t const groups = choice::storage::groups(faces_);
      scalar_type const* const from = x.data();
      if constexpr (runs_on_host<backend_type>)
        r.storage().read(from, [&](auto const& lanes) {
          auto const read = of({lanes, lanes});
          backend_.balance(groups, [&](index_t first, index_t last) {
            detail::run_groups(read, [&](auto&, auto const& run) {
              for (index_t group = first; group < last; ++group) run(group);
            });
          });
        });
      else
        backend_.launch(of({{r.storage().table(), r.storage().read(from), nullptr}}), groups);
    }
  }

  index_t faces() const { return faces_; }
  index_t elements() const { return faces_; }  // of its restriction
  Form const& form() const { return form_; }
  Form& form() { return form_; }  // to change members that only apply() reads
  backend_type const& backend() const { return backend_; }

private:
  using const_view = view<scalar_type const, dextents<1>>;
  using vector_view = view<scalar_type, dextents<1>>;
  using number = detail::form_number<backend_type, scalar_type>;
  using problem = typename options::problem;

  // What one application of it asks.
  template <class How>
  using problem_of = typename detail::applied_problem<options, How>::type;
  template <class How>
  struct choice_of {
    static constexpr bool on_host = runs_on_host<backend_type>;
    static constexpr int faces_of_group = on_host ? width_of<number> : detail::faces_at_once<problem, number>;
    template <class Entries>
    using of_team = detail::team_vectors<Entries, problem_of<How>, faces_of_group>;
    using vectors = std::conditional_t<on_host, detail::host_vectors<problem_of<How>>,
                                       of_team<detail::strided_entries<scalar_type>>>;
    using global_vectors = std::conditional_t<on_host, detail::host_global_vectors<problem_of<How>>,
                                              of_team<detail::table_entries<scalar_type, nodes_1d>>>;
    using pair_vectors = global_vectors;
    struct storage {
      static index_t groups(index_t faces) { return (faces + faces_of_group - 1) / faces_of_group; }
    };
  };
  using choice = choice_of<detail::as_it_is>;

  detail::application<basic_face_operator> call(char const* where) const { return {*this, where}; }
  static constexpr bool has_diagonal()
  {
    static_assert(is_linear<Form>, "sumfac::face_operator: a form that is not linear has no diagonal");
    return is_linear<Form>;
  }

  template <class How, class Vectors>
  auto kernel_of(How const& how, Vectors const& u_and_v) const
  {
    return detail::face_kernel<problem_of<How>, Vectors, number>{
        {}, how.form(form_), {u_and_v}, {factors_.read().stored}};
  }
  template <class How, class Vectors>
  void launch(How const& how, Vectors const& u_and_v, index_t, index_t faces) const
  {
    detail::launch_groups(backend_, kernel_of(how, u_and_v), choice::storage::groups(faces));
  }
  template <class Vectors>
  auto diagonal_from(Vectors const& v) const
  {
    return detail::face_diagonal<problem, Vectors, number>{{}, form_, {v}, factors_.read()};
  }
  index_t bytes_moved() const { return 0; }
  template <class Operator, class How>
  friend class detail::application;

  backend_type backend_;
  Form form_;
  index_t faces_ = 0;
  detail::face_factors<problem, number, backend_type> factors_;
};

// A face operator by its options: a rule of points (gauss<degree + 2> where none is said), a backend, double or float,
// in any order.
template <class Form, auto Space, class... Options>
using face_operator = typename detail::checked_operator<basic_face_operator, Form, Space, Options...>::type;

}  // namespace sumfac
