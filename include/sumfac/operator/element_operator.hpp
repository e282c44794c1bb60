// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The operator: a form on a mesh, applied to E-vectors without a matrix.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/basis/quadrature.hpp>
#include <sumfac/dofs/vectors/element_vector.hpp>
#include <sumfac/element/kernel/diagonal.hpp>
#include <sumfac/element/kernel/kernel_choice.hpp>
#include <sumfac/element/kernel/launch_groups.hpp>
#include <sumfac/element/kernel/problem.hpp>
#include <sumfac/element/tuning.hpp>
#include <sumfac/element/vectors/staging.hpp>
#include <sumfac/element/work.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/math/detail/plain.hpp>
#include <sumfac/math/precision.hpp>
#include <sumfac/mesh/classify.hpp>
#include <sumfac/mesh/policy.hpp>
#include <sumfac/operator/detail/e_vectors.hpp>
#include <sumfac/operator/detail/evaluation.hpp>
#include <sumfac/operator/detail/explained.hpp>
#include <sumfac/operator/detail/fields_at_call.hpp>
#include <sumfac/operator/detail/form_checks.hpp>
#include <sumfac/operator/detail/global_sweep.hpp>
#include <sumfac/operator/detail/operator_arguments.hpp>
#include <sumfac/operator/detail/operator_promises.hpp>
#include <sumfac/operator/detail/set_up.hpp>
#include <sumfac/operator/detail/two_spaces.hpp>
#include <sumfac/view/vector_argument.hpp>

#include <type_traits>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET {

// v = A u element by element, where A is a form integrated with Points on functions of Space: on hexahedra where it is
// a number, the degree; on quadrilaterals, lines, surfaces and curves where it says so.
//
// Nodes of u and v are the Gauss-Lobatto-Legendre points; where Points are the same, interpolation drops out. A const
// operator may be applied by several threads at once, on global vectors each with a restriction of its own. On the host
// the result is the same, bit for bit, for any number of threads and any layout. On a device u and v are views of its
// memory, and apply() queues the work on the backend's stream, on global vectors the restriction's, and returns: it
// allocates nothing and waits for nothing. The mesh nodes are in the host's memory always.
// **Shapes** E-vectors (E, n, n, n), or (E, C, n, n, n) for a form of C > 1 components, n = degree + 1: element,
// component, z, y, x. Mesh nodes (E, m, m, m, 3), 2 <= m <= 16. On quadrilaterals (E, n, n) or (E, C, n, n), mesh nodes
// (E, m, m, 2), or 3 on surfaces; on lines (E, n) or (E, C, n), mesh nodes (E, m, 1), or a curve's 2 or 3.
// **Work** work(): credited flops, and bytes of u, v and factors.
// **Errors** (compile time) a degree or rule that does not fit, a form that keeps a promise not; (run time)
// argument_error for shapes, null, aliasing and what the form's check() refuses, geometry_error for an element whose
// Jacobian has a determinant that is not positive and finite at some point of the rule, the only places looked at, or
// of which what the form asks is not a normal number of the narrowest of the operator's types.
template <class Form, auto Space, class Points = gauss<detail::degree_of<Space> + 2>, class Backend = host,
          class Scalar = double, class Geometry = stored,
          tuning Tuning = recommended_tuning<Backend, Form, Space, Points, kernel_arithmetic<Scalar>, Geometry>>
class element_operator
    : detail::operator_promises<Form, Space, Points, Backend, Scalar, Geometry>,
      public detail::explained<element_operator<Form, Space, Points, Backend, Scalar, Geometry, Tuning>> {
public:
  static constexpr int order = detail::degree_of<Space>;
  static constexpr int nodes_1d = order + 1, points_1d = Points::size;
  static constexpr int directions = detail::directions_of<Space>, coordinates = detail::coordinates_of<Space>;
  static constexpr node_placement placement = detail::space_of<Space>.nodes;
  static constexpr int test_nodes_1d = detail::test_space_of<Space>.degree + 1;
  static constexpr int components = components_of<Form>, test_components = test_components_of<Form>;
  static constexpr bool has_one_space =
      detail::space_of<Space> == detail::test_space_of<Space> && components == test_components;
  static constexpr tuning tuned = Tuning;
  static constexpr bool linear = is_linear<Form>;
  static_assert(points_1d >= nodes_1d,
                "sumfac::element_operator: too few points per direction for this degree (points_1d "
                ">= degree + 1): take sumfac::gauss<degree + 2> or sumfac::gauss_lobatto<degree + 1>");

  using form_type = Form;
  using points_type = Points;
  using backend_type = Backend;
  using scalar_type = vector_scalar<Scalar>;          // of u and v
  using arithmetic_type = kernel_arithmetic<Scalar>;  // what the kernel computes in
  using precision_type = Scalar;
  using factor_type = factor_scalar<Scalar>;  // of what is stored of the geometry
  using nodes_type = detail::nodes_of_space<Space>;
  using from_vector = vector_argument<scalar_type const>;  // global vectors
  using to_vector = vector_argument<scalar_type>;

  // Takes the mesh and sets up the form's factors; the mesh nodes are not kept. `node_set` says where the m nodes of a
  // mesh element's edge lie: gauss_lobatto_nodes{}, equispaced_nodes{} (Gmsh, VTK), or the user's own mesh_node_set,
  // called as node_set(m, nodes) to write m numbers. It may be left out for m = 2 and 3, and where a mesh_view says it.
  // `tolerance` bounds how far elements may be from the maps that the geometry policy puts in their place.
  template <class Nodes, class NodeSet = unsaid_nodes>
  element_operator(Backend const& backend, Nodes const& nodes, Form const& form = {}, NodeSet const& node_set = {},
                   double tolerance = geometry_tolerance)
      : backend_(backend), form_(form)
  {
    set_up(nodes, form, node_set, tolerance, nullptr);
  }
  // What it cannot take is refused with a diagnostic.
  template <class... Arguments>
    requires detail::wrong_operator_arguments<Backend, Form, Arguments...>
  explicit element_operator(Arguments const&...) : element_operator(detail::refuse_arguments<Backend, Arguments...>())
  {
  }

  // Sets up the factors anew, of another mesh of as many elements, another form, or both; what was allocated is used
  // again. Where it throws, A is to be updated again before it is applied.
  template <class Nodes, class NodeSet = unsaid_nodes>
  void update(Nodes const& nodes, Form const& form, NodeSet const& node_set = {}, double tolerance = geometry_tolerance)
    requires is_view<Nodes>
  {
    set_up(nodes, form, node_set, tolerance, &mesh_);
    form_ = form;
  }
  // Takes another form on the same mesh, where kernels recompute geometry.
  void update(Form const& form) { detail::update_form<policy>(form_, form, backend_, mesh_, points_1d); }

  // v = A u, whatever was in v before, on views of any layout and any mix of layouts.
  template <class From, class To>
  void apply(From const& u, To const& v) const
  {
    vectors const u_and_v = e_vectors("element_operator::apply", u, v);
    if (elements_ > 0) launch(u_and_v, 0, elements_);
  }

  // y = A x on global vectors, gathered and added up inside the kernel: R^T A R x, and at constrained entries what
  // the restriction says. Of a subset's elements alone, where it is one.
  void apply(restriction<scalar_type, Backend> const& r, from_vector x, to_vector y) const
  {
    if constexpr (detail::must_be_square<element_operator>()) sweep_over(r).apply(x.entries, y.entries);
  }
  // y = y + R^T A R x; constrained entries stay as they are.
  void apply_add(restriction<scalar_type, Backend> const& r, from_vector x, to_vector y) const
  {
    if constexpr (detail::must_be_square<element_operator>()) sweep_over(r).apply_add(x.entries, y.entries);
  }

  // The same with the form's inputs given for this call, in the order of its `inputs`: fields, which are evaluated in
  // the same kernel. They stand behind u and v, or y: A.apply(R, x, y, field(R_t, t)).
  template <class From, class To, detail::field_like... Fields>
    requires(sizeof...(Fields) > 0)
  void apply(From const& u, To const& v, Fields const&... fields) const;
  template <detail::field_like... Fields>
    requires(sizeof...(Fields) > 0)
  void apply(restriction<scalar_type, Backend> const& r, from_vector x, to_vector y, Fields const&... fields) const
  {
    if constexpr (detail::check_fields_at_call<element_operator, Fields...>())
      detail::global_sweep(*this, r, given<Fields...>(*this, "element_operator::apply", fields...))
          .apply(x.entries, y.entries);
  }
  template <detail::field_like... Fields>
    requires(sizeof...(Fields) > 0)
  void apply_add(restriction<scalar_type, Backend> const& r, from_vector x, to_vector y, Fields const&... fields) const
  {
    if constexpr (detail::check_fields_at_call<element_operator, Fields...>())
      detail::global_sweep(*this, r, given<Fields...>(*this, "element_operator::apply_add", fields...))
          .apply_add(x.entries, y.entries);
  }

  // Between two spaces, with a restriction for each: y = R_test^T A R_trial x, y being 0 at constrained entries.
  void apply(restriction<scalar_type, Backend> const& r_test, restriction<scalar_type, Backend> const& r_trial,
             from_vector x, to_vector y) const
  {
    sweep_pair("element_operator::apply", r_test, r_trial, x, y, detail::sweep_mode::write);
  }
  void apply_add(restriction<scalar_type, Backend> const& r_test, restriction<scalar_type, Backend> const& r_trial,
                 from_vector x, to_vector y) const
  {
    sweep_pair("element_operator::apply_add", r_test, r_trial, x, y, detail::sweep_mode::add);
  }

  // The transpose, from what A tests against to what it is applied to: u = A^T v on E-vectors; of one space that of
  // apply(R, x, y), constrained rows as there; of two y = R_trial^T A^T R_test x, 0 at constrained entries. The form's
  // transpose is taken at each point, column by column.
  template <class From, class To>
  void apply_transposed(From const& v, To const& u) const;
  void apply_transposed(restriction<scalar_type, Backend> const& r, from_vector x, to_vector y) const
  {
    if constexpr (is_matrix()) sweep_over(r, detail::of_transpose{}).apply(x.entries, y.entries);
  }
  void apply_transposed_add(restriction<scalar_type, Backend> const& r, from_vector x, to_vector y) const
  {
    if constexpr (is_matrix()) sweep_over(r, detail::of_transpose{}).apply_add(x.entries, y.entries);
  }
  void apply_transposed(restriction<scalar_type, Backend> const& r_trial,
                        restriction<scalar_type, Backend> const& r_test, from_vector x, to_vector y) const
  {
    sweep_transposed("element_operator::apply_transposed", r_trial, r_test, x, y, detail::sweep_mode::write);
  }
  void apply_transposed_add(restriction<scalar_type, Backend> const& r_trial,
                            restriction<scalar_type, Backend> const& r_test, from_vector x, to_vector y) const
  {
    sweep_transposed("element_operator::apply_transposed_add", r_trial, r_test, x, y, detail::sweep_mode::add);
  }

  // Keeps what the form's inputs are at the points, in the order of its `inputs`, until the next call: what apply(),
  // diagonal() and the rest read from then on. Memory is asked for once; a device has done so on return.
  template <detail::field_like... Fields>
  void linearize(Fields const&... fields)
  {
    if constexpr (detail::check_kept_fields<element_operator, Fields...>())
      detail::keep_inputs<kernel>(
          *this, factors_, [this] { return points(); }, fields...);
  }
  // Of a tangent, or any form with one input: the global vector x, or an E-vector.
  void linearize(restriction<scalar_type, Backend> const& r, from_vector x) { linearize(field(r, x.entries)); }
  template <class From>
    requires is_view<From>
  void linearize(From const& u)
  {
    linearize(field(u));
  }

  // E-vectors are overwritten, never added to.
  template <class From, class To>
  void apply_add(From const&, To const&) const
  {
    detail::refuse_to_add<From>();
  }

  // d = the diagonal of A, an E-vector.
  template <class Diagonal>
  void diagonal(Diagonal const& d) const;
  // The same of the matrix that apply() multiplies global vectors by.
  void diagonal(restriction<scalar_type, Backend> const& r, to_vector d) const
  {
    if constexpr (is_matrix()) sweep_over(r).diagonal(d.entries);
  }

  // The same where the first is no restriction, or one of another scalar type or backend.
  template <class Restriction, class From, class To>
    requires(!detail::is_restriction_for<Restriction, scalar_type, Backend> && !detail::is_field<To>)
  void apply(Restriction const&, From const&, To const&) const
  {
    detail::refuse_restriction<Restriction>();
  }
  template <class Restriction, class From, class To>
    requires(!detail::is_restriction_for<Restriction, scalar_type, Backend>)
  void apply_add(Restriction const&, From const&, To const&) const
  {
    detail::refuse_restriction<Restriction>();
  }
  template <class Restriction, class Diagonal>
    requires(!detail::is_restriction_for<Restriction, scalar_type, Backend>)
  void diagonal(Restriction const&, Diagonal const&) const
  {
    detail::refuse_restriction<Restriction>();
  }

  // The matrix of one element, row by row: C n^3 rows of C n^3 numbers, nodes counted as in an E-vector of
  // layout_right; between two spaces as many rows as the test functions have entries.
  std::vector<scalar_type> element_matrix(index_t element) const;

  // Throws argument_error where the form, at a few points, is seen not to be linear in u. In debug builds diagonal(),
  // element_matrix(), cg() and merged_cg() call it, but for devices diagonal() alone.
  void check_linear() const
  {
    if constexpr (linear) check_linear(points());
  }

  // Of apply(); with inputs as linearize() keeps them, or as they are given: A.work(field(R_t, t)).
  sumfac::work work() const;
  template <detail::field_like First, detail::field_like... Rest>
  sumfac::work work(First const&, Rest const&...) const;

  // Elements by what they are run as, where the policy is split.
  geometry_classes const& classes() const
    requires std::is_same_v<Geometry, split>
  {
    return factors_.classes();
  }
  template <class Policy = Geometry>
    requires(!std::is_same_v<Policy, split>)
  geometry_classes classes() const
  {
    static_assert(detail::never<Policy>,
                  "sumfac::element_operator: only an operator whose geometry is sumfac::split "
                  "has classes(); sumfac::classify(nodes) has those of a mesh");
    return {};
  }

  index_t elements() const { return elements_; }
  Form const& form() const { return form_; }
  // To change members that only apply() reads, or where kernels recompute geometry, setup(); update() looks at others.
  Form& form() { return form_; }
  Backend const& backend() const { return backend_; }

  // What its kernel on packed E-vectors takes of a device, as kernel_resources.
  template <class Device = Backend>
    requires requires { typename Device::runtime; }
  auto resources() const
  {
    return backend_.template resources<kernel_on_packed>();
  }

private:
  explicit element_operator(detail::refused);
  // work().bytes(), without the counting of flops.
  index_t bytes_moved() const
  {
    constexpr index_t entries = problem::trial_side::entries_of_element + problem::test_side::entries_of_element;
    return elements_ * index_t{sizeof(scalar_type)} * entries + geometry_bytes() + kept_bytes();
  }
  index_t geometry_bytes() const { return index_t{sizeof(factor_scalar<Scalar>)} * factors_.numbers(elements_); }
  index_t kept_bytes() const
  {
    constexpr index_t of_point = detail::numbers_of(inputs_of<Form>{}, directions);
    return index_t{sizeof(factor_scalar<Scalar>)} * of_point * problem::points_of_element * elements_;
  }

  // A policy that is none has been refused; it stands aside, so that nothing else is said of it.
  using policy = std::conditional_t<geometry_policy<Geometry>, Geometry, stored>;
  using problem = detail::problem<Form, detail::space_of<Space>, Points, Scalar, detail::test_space_of<Space>>;
  using choice = detail::kernel_choice<problem, Backend, Tuning, policy>;
  using storage = typename choice::storage;
  using vectors = typename choice::vectors;
  using global_vectors = typename choice::global_vectors;
  using kernel = detail::kernel_on<choice, vectors>;
  using packed = detail::packed_vectors_of<choice>;
  using kernel_on_packed = detail::kernel_on<choice, typename packed::type>;
  static_assert(detail::geometry_storage<storage, problem, Backend>);
  static_assert(detail::element_kernel_like<kernel>);

  template <class... Fields>
  using given = detail::fields_at_call<element_operator, Fields...>;

  // Views of u and v as kernels take them, or an exception; `here` is the function that got them.
  template <class From, class To>
  vectors e_vectors(char const* here, From const& u, To const& v) const
  {
    return detail::e_vectors<vectors, problem>(here, u, v, elements_, bytes_moved());
  }

  // v = A u on `elements` elements from `first` on, the first of a group; vectors say where u and v are.
  template <class Vectors>
  void launch(Vectors const& u_and_v, index_t first, index_t elements) const;
  template <class Vectors>
  auto kernel_from(Vectors const& u_and_v, index_t first) const
  {
    return detail::make_kernel<detail::kernel_on<choice, Vectors>>(form_, u_and_v,
                                                                   detail::reader_at(factors_, first, elements_));
  }
  template <class Fields, class Vectors>
  auto kernel_with(Fields const& fields, Vectors const& u_and_v) const;

  void sweep_pair(char const* where, restriction<scalar_type, Backend> const& r_test,
                  restriction<scalar_type, Backend> const& r_trial, from_vector const& x, to_vector const& y,
                  detail::sweep_mode mode) const;
  static constexpr bool is_matrix()
  {
    return detail::must_be_linear<element_operator>() && detail::must_be_square<element_operator>();
  }
  void sweep_transposed(char const* where, restriction<scalar_type, Backend> const& r_trial,
                        restriction<scalar_type, Backend> const& r_test, from_vector const& x, to_vector const& y,
                        detail::sweep_mode mode) const;
  using transposed_problem = detail::transposed_problem<Form, Space, Points, Scalar>;
  using transposed_choice = detail::kernel_choice<transposed_problem, Backend, Tuning, policy>;
  template <class Vectors>
  auto transposed_kernel(Vectors const& u_and_v) const;

  // The points of all elements, where the host reads them.
  auto points() const
  {
    return detail::points_of<kernel>(factors_, backend_, elements_,
                                     detail::reads_for_host<policy>(form_, backend_, mesh_, points_1d));
  }

  // The kernel of the diagonal, to where vectors have v.
  template <class Vectors>
  auto diagonal_from(Vectors const& v) const
  {
    if constexpr (detail::checks_forms) check_linear();
    return detail::make_diagonal_kernel<problem>(kernel_from(v, 0));
  }
  using number = std::conditional_t<runs_on_host<Backend>, pack<double, native_width<double>>, double>;
  template <class At>
  void check_linear(At const& at) const
  {
    detail::check_linear<Form, number, directions>(form_, at, elements_, points_1d);
  }

  template <class Nodes, class NodeSet>
  void set_up(Nodes const& nodes, Form const& form, NodeSet const& node_set, double tolerance,
              detail::facts_of<problem> const* former)
  {
    if constexpr (detail::check_mesh<problem, Nodes, NodeSet>())
      mesh_ = detail::set_up_factors<problem, policy, kernel>(
          factors_, former, backend_, form, detail::plain_nodes(nodes),
          detail::said_nodes("element_operator", nodes, node_set), tolerance);
    if constexpr (detail::is_device<Backend>) backend_.template prepare<kernel_on_packed>();
    elements_ = mesh_.elements;
  }

  template <class Operator, class Fields>
  friend class detail::global_sweep;
  template <class Operator>
  friend class detail::operator_parts;

  template <class Restriction, class Fields = detail::no_fields>
  auto sweep_over(Restriction const& r, Fields const& fields = {}) const
  {
    return detail::global_sweep<element_operator, Fields>(*this, r, fields);
  }

  Backend backend_;
  Form form_;
  index_t elements_ = 0;
  detail::facts_of<problem> mesh_;
  storage factors_;
};

}  // namespace sumfac

#include <sumfac/operator/detail/operator_members.hpp>
