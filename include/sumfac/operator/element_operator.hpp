// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The operator: a form on a mesh, applied to E-vectors without a matrix.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/element/kernel/diagonal.hpp>
#include <sumfac/element/vectors/staging.hpp>
#include <sumfac/operator/detail/application.hpp>
#include <sumfac/operator/detail/element_counts.hpp>
#include <sumfac/operator/detail/evaluation.hpp>
#include <sumfac/operator/detail/fields_at_call.hpp>
#include <sumfac/operator/detail/form_checks.hpp>
#include <sumfac/operator/detail/operator_arguments.hpp>
#include <sumfac/operator/detail/operator_options.hpp>
#include <sumfac/operator/detail/set_up.hpp>

#include <cstddef>
#include <type_traits>
#include <vector>

namespace sumfac::SUMFAC_TARGET {

// v = A u element by element, where A is a form integrated with Points on functions of Space: on hexahedra where it is
// a number, the degree; on quadrilaterals, lines, surfaces and curves where it says so.
//
// Nodes of u and v are the Gauss-Lobatto-Legendre points; where Points are the same, interpolation drops out. A const
// operator may be applied by several threads at once, on global vectors each with a restriction of its own. On the host
// the result is the same, bit for bit, for any number of threads and any layout. On a device u and v are views of its
// memory, and apply() queues the work on the backend's stream, which is that of restrictions, too, and returns: it
// allocates nothing and waits for nothing. The mesh nodes are in the host's memory always.
// **Shapes** E-vectors (E, n, n, n), or (E, C, n, n, n) for a form of C > 1 components, n = degree + 1: element,
// component, z, y, x. Mesh nodes (E, m, m, m, 3), 2 <= m <= 16. On quadrilaterals (E, n, n) or (E, C, n, n), mesh nodes
// (E, m, m, 2), or 3 on surfaces; on lines (E, n) or (E, C, n), mesh nodes (E, m, 1), or a curve's 2 or 3.
// **Work** work(): credited flops, and bytes of u, v and factors.
// **Errors** (compile time) a degree or rule that does not fit, a form that breaks one of its promises; (run time)
// argument_error for shapes, null, aliasing and what the form's check() refuses, geometry_error for an element whose
// determinant is not positive and finite at a point, or whose numbers the narrowest type cannot hold as normal ones.
template <class Form, auto Space, class... Options>
class basic_operator : detail::operator_promises<detail::operator_options<Form, Space, Options...>> {
public:
  using options = detail::operator_options<Form, Space, Options...>;  // by name
  using form_type = Form;
  using points_type = typename options::points;
  using backend_type = typename options::backend;
  using precision_type = typename options::numbers;
  using geometry_type = typename options::geometry;
  using scalar_type = vector_scalar<precision_type>;          // of u and v
  using arithmetic_type = kernel_arithmetic<precision_type>;  // what the kernel computes in
  using factor_type = factor_scalar<precision_type>;          // of what is stored of the geometry
  using nodes_type = detail::nodes_of_space<Space>;
  using from_vector = vector_argument<scalar_type const>;  // global vectors
  using to_vector = vector_argument<scalar_type>;
  using restriction_type = restriction<scalar_type, backend_type>;

  static constexpr int order = detail::degree_of<Space>;
  static constexpr int nodes_1d = nodes_type::size, points_1d = points_type::size;  // of what is no tensor, all
  static constexpr int directions = detail::directions_of<Space>, coordinates = detail::coordinates_of<Space>;
  static constexpr int axes = detail::axes_of(detail::space_of<Space>);  // in which nodes and points are counted
  static constexpr node_placement placement = detail::space_of<Space>.nodes;
  static constexpr int test_nodes_1d = detail::nodes_of_space<detail::test_space_of<Space>>::size;
  static constexpr int components = components_of<Form>, test_components = test_components_of<Form>;
  static constexpr bool has_one_space =
      detail::space_of<Space> == detail::test_space_of<Space> && components == test_components;
  static constexpr tuning tuned = options::tuning;
  static constexpr bool linear = is_linear<Form>, symmetric = may_be_symmetric<Form> && has_one_space;
  static_assert(points_1d >= nodes_1d || !detail::is_tensor(detail::space_of<Space>),
                "sumfac::element_operator: too few points per direction for this degree (points_1d "
                ">= degree + 1): take sumfac::gauss<degree + 2> or sumfac::gauss_lobatto<degree + 1>");

  // Takes the mesh and sets up the form's factors; the mesh nodes are not kept. `node_set` says where the m nodes of a
  // mesh element's edge lie: gauss_lobatto_nodes{}, equispaced_nodes{} (Gmsh, VTK), or the user's own mesh_node_set,
  // called as node_set(m, nodes) to write m numbers. It may be left out for m = 2 and 3, and where a mesh_view says it.
  // `tolerance` bounds how far elements may be from the maps that the geometry policy puts in their place.
  template <class Nodes, class NodeSet = unsaid_nodes>
  basic_operator(backend_type const& backend, Nodes const& nodes, Form const& form, NodeSet const& node_set = {},
                 double tolerance = geometry_tolerance)
      : backend_(backend), form_(form)
  {
    set_up(nodes, form, node_set, tolerance, nullptr);
  }
  template <class Nodes>
  basic_operator(backend_type const& backend, Nodes const& nodes)
      : basic_operator(backend, nodes, detail::form_by_default<Form>())
  {
  }
  // On a space that is given as tables, tabulated(P, Q, D), whose P and Q may be those of the tables: `dynamic`.
  template <class Nodes>
  basic_operator(backend_type const& backend, Nodes const& nodes, tabulated_basis const& basis,
                 Form const& form = detail::form_by_default<Form>())
      : basic_operator(backend, nodes, form, basis)
  {
  }
  template <class... Arguments>
    requires detail::wrong_operator_arguments<backend_type, Form, Arguments...>
  explicit basic_operator(Arguments const&...) : basic_operator(detail::refuse_arguments<backend_type, Arguments...>())
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
  void update(Form const& form) { detail::update_form<policy>(form_, form, backend_, mesh_, counts_.points_1d()); }

  // v = A u, whatever was in v before, on views of any layout and any mix of layouts.
  //
  // Behind u and v, or y, stand the form's inputs where they are given for this call, in the order of its `inputs`:
  // fields, which are evaluated in the same kernel, as in A.apply(R, x, y, field(R_t, t)).
  template <class From, class To, detail::field_like... Fields>
  void apply(From const& u, To const& v, Fields const&... fields) const
  {
    constexpr auto here = "element_operator::apply";
    if constexpr (takes_fields<Fields...>()) call(here, given<Fields...>(*this, here, fields...)).on_elements(u, v);
  }

  // y = A x on global vectors, gathered and added up inside the kernel: R^T A R x, and at constrained entries what
  // the restriction says. Of a subset's elements alone, where it is one.
  template <detail::field_like... Fields>
  void apply(restriction_type const& r, from_vector x, to_vector y, Fields const&... fields) const
  {
    constexpr auto here = "element_operator::apply";
    if constexpr (is_square<Fields...>())
      call(here, given<Fields...>(*this, here, fields...)).write(r, x.entries, y.entries);
  }
  // y = y + R^T A R x; constrained entries stay as they are.
  template <detail::field_like... Fields>
  void apply_add(restriction_type const& r, from_vector x, to_vector y, Fields const&... fields) const
  {
    constexpr auto here = "element_operator::apply_add";
    if constexpr (is_square<Fields...>())
      call(here, given<Fields...>(*this, here, fields...)).add(r, x.entries, y.entries);
  }
  // Between two spaces, with a restriction for each: y = R_test^T A R_trial x, y being 0 at constrained entries.
  void apply(restriction_type const& r_test, restriction_type const& r_trial, from_vector x, to_vector y) const
  {
    call("element_operator::apply").between(r_test, r_trial, x.entries, y.entries, detail::sweep_mode::write);
  }
  void apply_add(restriction_type const& r_test, restriction_type const& r_trial, from_vector x, to_vector y) const
  {
    call("element_operator::apply_add").between(r_test, r_trial, x.entries, y.entries, detail::sweep_mode::add);
  }

  // The transpose, from what A tests against to what it is applied to: u = A^T v on E-vectors; of one space that of
  // apply(R, x, y), constrained rows as there; of two y = R_trial^T A^T R_test x, 0 at constrained entries. The form's
  // transpose is taken at each point, column by column.
  template <class From, class To>
  void apply_transposed(From const& v, To const& u) const
  {
    if constexpr (detail::must_be_linear<basic_operator>())
      call("element_operator::apply_transposed", detail::of_transpose{}).on_elements(v, u);
  }
  void apply_transposed(restriction_type const& r, from_vector x, to_vector y) const
  {
    if constexpr (is_matrix())
      call("element_operator::apply_transposed", detail::of_transpose{}).write(r, x.entries, y.entries);
  }
  void apply_transposed_add(restriction_type const& r, from_vector x, to_vector y) const
  {
    if constexpr (is_matrix())
      call("element_operator::apply_transposed_add", detail::of_transpose{}).add(r, x.entries, y.entries);
  }
  void apply_transposed(restriction_type const& r_trial, restriction_type const& r_test, from_vector x,
                        to_vector y) const
  {
    if constexpr (detail::must_be_linear<basic_operator>())
      call("element_operator::apply_transposed", detail::of_transpose{})
          .between(r_trial, r_test, x.entries, y.entries, detail::sweep_mode::write);
  }
  void apply_transposed_add(restriction_type const& r_trial, restriction_type const& r_test, from_vector x,
                            to_vector y) const
  {
    if constexpr (detail::must_be_linear<basic_operator>())
      call("element_operator::apply_transposed_add", detail::of_transpose{})
          .between(r_trial, r_test, x.entries, y.entries, detail::sweep_mode::add);
  }

  // Keeps what the form's inputs are at the points, in the order of its `inputs`, until the next call: what apply(),
  // diagonal() and the rest read from then on. The first call allocates the memory; a device is done on return.
  template <detail::field_like... Fields>
  void linearize(Fields const&... fields)
  {
    if constexpr (detail::check_kept_fields<basic_operator, Fields...>())
      detail::keep_inputs<kernel>(
          *this, factors_, [this] { return points(); }, fields...);
  }
  // Of a tangent, or any form with one input: the global vector x, or an E-vector.
  void linearize(restriction_type const& r, from_vector x) { linearize(field(r, x.entries)); }
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
  void diagonal(Diagonal const& d) const
  {
    constexpr bool fits = detail::is_writable_view_of<Diagonal, scalar_type>;
    static_assert(fits, "sumfac::element_operator: d must be a sumfac::view of the operator's scalar type, not const");
    if constexpr (fits && is_matrix()) call("element_operator::diagonal").diagonal(d);
  }
  // The same of the matrix that apply() multiplies global vectors by.
  void diagonal(restriction_type const& r, to_vector d) const
  {
    if constexpr (is_matrix()) call("element_operator::diagonal").diagonal(r, d.entries);
  }

  // The same where the first is no restriction, or one of another scalar type or backend.
  template <class Restriction, class From, class To>
    requires(!detail::is_restriction_for<Restriction, scalar_type, backend_type> && !detail::is_field<To>)
  void apply(Restriction const&, From const&, To const&) const
  {
    detail::refuse_restriction<Restriction>();
  }
  template <class Restriction, class From, class To>
    requires(!detail::is_restriction_for<Restriction, scalar_type, backend_type>)
  void apply_add(Restriction const&, From const&, To const&) const
  {
    detail::refuse_restriction<Restriction>();
  }
  template <class Restriction, class Diagonal>
    requires(!detail::is_restriction_for<Restriction, scalar_type, backend_type>)
  void diagonal(Restriction const&, Diagonal const&) const
  {
    detail::refuse_restriction<Restriction>();
  }

  // The matrix of one element, row by row: C n^3 rows of C n^3 numbers, nodes counted as in an E-vector of
  // layout_right; between two spaces as many rows as the test functions have entries.
  std::vector<scalar_type> element_matrix(index_t element) const
  {
    if (element < 0 || element >= elements_)
      failf("element_operator::element_matrix", "the element does not exist (got %lld, 0 to %lld expected)",
            static_cast<long long>(element), static_cast<long long>(elements_ - 1));
    if constexpr (!detail::must_be_linear<basic_operator>()) return {};
    if constexpr (detail::checks_forms && !on_device) check_linear();
    using trial = typename problem::trial_side;
    using test = typename problem::test_side;
    index_t const size = counts_.template entries<trial>(), rows = counts_.template entries<test>();
    // The element stands in its own lane of a group, where its factors are; the other lanes compute with zeros.
    index_t const lane = element % storage::lanes, lanes = lane + 1;
    detail::working_vector<scalar_type, backend_type> u(backend_, lanes * size), v(backend_, lanes * rows);
    detail::own_vector<scalar_type> matrix(static_cast<std::size_t>(rows * size));
    for (index_t column = 0; column < size; ++column) {
      u.set(lane * size + column, 1);
      launch(detail::as_it_is{},
             vectors{detail::whole_vector<trial>(static_cast<scalar_type const*>(u.data()), lanes, counts_.sizes),
                     detail::whole_vector<test>(v.data(), lanes, counts_.sizes)},
             element - lane, lanes);
      u.set(lane * size + column, 0);
      scalar_type const* const result = v.on_host() + lane * rows;
      for (index_t row = 0; row < rows; ++row) matrix[static_cast<std::size_t>(row * size + column)] = result[row];
    }
    return {matrix.begin(), matrix.end()};
  }

  // Throws argument_error where the form, at a few points, is seen not to be linear in u. In debug builds diagonal(),
  // element_matrix(), cg() and merged_cg() call it, but for devices diagonal() alone.
  void check_linear() const
  {
    if constexpr (linear) check_linear(points());
  }

  // Of apply(); with inputs as linearize() keeps them, or as they are given: A.work(field(R_t, t)).
  sumfac::work work() const
  {
    auto w = detail::count_work<problem>(form_, elements_, geometry_bytes() + kept_bytes(), counts_.sizes);
    w.geometry_flops = factors_.geometry_flops(form_, elements_);
    return w;
  }
  template <detail::field_like First, detail::field_like... Rest>
  sumfac::work work(First const&, Rest const&...) const
  {
    auto w = work();
    if constexpr (detail::check_fields_at_call<basic_operator, First, Rest...>()) {
      w.bytes_read -= kept_bytes();
      detail::count_fields(w, *this, kernel::collocated);
    }
    return w;
  }

  // Elements by what they are run as, where the policy is split.
  geometry_classes const& classes() const
    requires std::is_same_v<geometry_type, split>
  {
    return factors_.classes();
  }
  template <class Policy = geometry_type>
    requires(!std::is_same_v<Policy, split>)
  geometry_classes classes() const
  {
    static_assert(detail::never<Policy>,
                  "sumfac::element_operator: only an operator whose geometry is sumfac::split "
                  "has classes(); sumfac::classify(nodes) has those of a mesh");
    return {};
  }

  index_t elements() const { return elements_; }
  // Functions of a component on an element, and the rule's points there: numbers of the program, but for tables whose
  // sizes are `dynamic`.
  int functions_of_element() const { return counts_.functions(); }
  int points_of_element() const { return counts_.points(); }
  Form const& form() const { return form_; }
  // To change members that only apply() reads, or where kernels recompute geometry, setup(); update() looks at others.
  Form& form() { return form_; }
  backend_type const& backend() const { return backend_; }

  // What its kernel on packed E-vectors takes of a device, as kernel_resources.
  template <class Device = backend_type>
    requires requires(Device const& d) { d.template resources<detail::idle_kernel>(); }
  auto resources() const
  {
    return backend_.template resources<kernel_on_packed>();
  }

private:
  static constexpr bool on_device = detail::is_device<backend_type>;
  explicit basic_operator(detail::refused);
  // work().bytes(), without the counting of flops.
  index_t bytes_moved() const { return elements_ * counts_.vector_bytes() + geometry_bytes() + kept_bytes(); }
  index_t geometry_bytes() const { return index_t{sizeof(factor_type)} * factors_.numbers(elements_); }
  index_t kept_bytes() const { return counts_.kept_bytes() * elements_; }

  // What is no policy has been refused already: `stored` takes its place, so that no second error follows.
  using policy = std::conditional_t<geometry_policy<geometry_type>, geometry_type, stored>;
  template <class How>
  using problem_of = typename detail::applied_problem<options, How>::type;
  template <class How>
  using choice_of = detail::kernel_choice<problem_of<How>, backend_type, tuned, policy>;
  using problem = typename options::problem;
  using choice = choice_of<detail::as_it_is>;
  using storage = typename choice::storage;
  using vectors = typename choice::vectors;
  using kernel = detail::kernel_on<choice, vectors>;
  using packed = detail::packed_vectors_of<choice>;
  using kernel_on_packed = detail::kernel_on<choice, typename packed::type>;
  static_assert(detail::geometry_storage<storage, problem, backend_type>);
  static_assert(detail::element_kernel_like<kernel>);

  template <class... Fields>
  using given =
      std::conditional_t<sizeof...(Fields) == 0, detail::as_it_is, detail::fields_at_call<basic_operator, Fields...>>;
  template <class... Fields>
  static constexpr bool takes_fields()
  {
    if constexpr (sizeof...(Fields) == 0)
      return true;
    else
      return detail::check_fields_at_call<basic_operator, Fields...>();
  }
  template <class... Fields>
  static constexpr bool is_square()
  {
    return takes_fields<Fields...>() && detail::must_be_square<basic_operator>();
  }
  static constexpr bool is_matrix() { return detail::must_be_linear<basic_operator>() && is_square<>(); }

  template <class How = detail::as_it_is>
  detail::application<basic_operator, How> call(char const* where, How const& how = {}) const
  {
    return {*this, where, how};
  }

  // v = A u on `elements` elements from `first` on, the first of a group; vectors say where u and v are.
  template <class How, class Vectors>
  void launch(How const& how, Vectors const& u_and_v, index_t first, index_t elements) const
  {
    if constexpr (packed::apart && How::packs_vectors)
      if (u_and_v.template are_packed<components, nodes_1d>())
        return detail::launch_groups(
            backend_, kernel_of(how, typename packed::type{u_and_v.template packed<components, nodes_1d>()}, first),
            storage::groups(elements));
    detail::launch_groups(backend_, kernel_of(how, u_and_v, first), storage::groups(elements));
  }
  template <class Vectors>
  auto kernel_of(detail::as_it_is, Vectors const& u_and_v, index_t first = 0) const
  {
    return detail::make_kernel<detail::kernel_on<choice, Vectors>>(form_, u_and_v,
                                                                   detail::reader_at(factors_, first, elements_));
  }
  template <class How, class Vectors>
  auto kernel_of(How const& how, Vectors const& u_and_v, index_t = 0) const
  {
    using kernel_type = detail::kernel_on<choice_of<How>, Vectors, typename storage::reader>;
    return detail::make_kernel<kernel_type>(how.form(form_), u_and_v,
                                            how.reader(detail::reader_at(factors_, 0, elements_)));
  }
  template <class... Fields, class Vectors>
  auto kernel_of(detail::fields_at_call<basic_operator, Fields...> const& fields, Vectors const& u_and_v,
                 index_t = 0) const
  {
    auto const factors = fields.template beside<problem>(detail::reader_at(factors_.of_geometry(), 0, elements_));
    return detail::make_kernel<detail::kernel_on<choice, Vectors, std::remove_const_t<decltype(factors)>>>(
        form_, u_and_v, factors);
  }

  // The points of all elements, where the host reads them.
  auto points() const
  {
    return detail::points_of<kernel>(factors_, backend_, elements_,
                                     detail::reads_for_host<policy>(form_, backend_, mesh_, counts_.points_1d()));
  }

  // The kernel of the diagonal, to where vectors have v.
  template <class Vectors>
  auto diagonal_from(Vectors const& v) const
  {
    if constexpr (detail::checks_forms) check_linear();
    return detail::make_diagonal_kernel<problem>(kernel_of(detail::as_it_is{}, v));
  }
  using number = std::conditional_t<runs_on_host<backend_type>, pack<double, native_width<double>>, double>;
  template <class At>
  void check_linear(At const& at) const
  {
    detail::check_linear<Form, number, directions, axes>(form_, at, elements_, counts_.points_1d());
  }

  template <class Nodes, class NodeSet>
  void set_up(Nodes const& nodes, Form const& form, NodeSet const& node_set, double tolerance,
              detail::facts_of<problem> const* former)
  {
    if constexpr (detail::check_mesh<problem, Nodes, NodeSet>())
      mesh_ =
          detail::set_up_factors<problem, policy, kernel>(factors_, former, backend_, form, detail::plain_nodes(nodes),
                                                          detail::said_places<problem>(nodes, node_set), tolerance);
    if constexpr (on_device) backend_.template prepare<kernel_on_packed>();
    elements_ = mesh_.elements;
    if constexpr (problem::at_run_time) counts_.sizes = factors_.sizes();
  }

  template <class Operator, class How>
  friend class detail::application;
  template <class Operator>
  friend class detail::operator_parts;

  backend_type backend_;
  Form form_;
  index_t elements_ = 0;
  detail::element_counts<problem> counts_;
  detail::facts_of<problem> mesh_;
  storage factors_;
};

// An operator by its options: a rule of points (gauss<degree + 2> where none is said), a backend (host), numbers
// (double), a geometry policy (stored) and a tuning (the recommended one), in any order, each at most once:
//
//     element_operator<heat, 7, cuda, float, trilinear> A{...};
//
// Operators of the same options are one type, a basic_operator; functions that deduce the options take that.
// **Errors** (compile time) an option that is of none of these kinds, and two of one kind.
template <class Form, auto Space, class... Options>
using element_operator = typename detail::checked_operator<basic_operator, Form, Space, Options...>::type;

namespace detail {

// The same without checks of the options: of each kind the first counts.
template <class Form, auto Space, class... Options>
using operator_of = typename operator_type<basic_operator, Form, Space, Options...>::type;

// An operator with other options; its tuning is the recommended one where they name none.
template <class Operator, class... Others>
using with_options =
    operator_of<typename Operator::form_type, Operator::options::space, Others..., typename Operator::points_type,
                typename Operator::backend_type, typename Operator::precision_type, typename Operator::geometry_type>;

}  // namespace detail

}  // namespace sumfac
