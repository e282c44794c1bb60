// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The operator on faces that knows the elements behind them: a form of values and whole gradients there.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/buffer.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/basis/quadrature.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/config.hpp>
#include <sumfac/dofs/restriction.hpp>
#include <sumfac/dofs/vectors/vector_checks.hpp>
#include <sumfac/element/kernel/face_diagonal.hpp>
#include <sumfac/element/kernel/face_factors.hpp>
#include <sumfac/element/kernel/face_kernel.hpp>
#include <sumfac/element/kernel/problem.hpp>
#include <sumfac/element/vectors/host_global.hpp>
#include <sumfac/error.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/mesh/face_mapping.hpp>
#include <sumfac/mesh/mesh_nodes.hpp>
#include <sumfac/operator/detail/application.hpp>
#include <sumfac/operator/detail/call_checks.hpp>
#include <sumfac/operator/detail/face_promises.hpp>
#include <sumfac/operator/detail/operator_options.hpp>
#include <sumfac/operator/detail/row_diagonal.hpp>
#include <sumfac/view/view.hpp>

namespace sumfac::SUMFAC_TARGET {

// y = B x, where B is a form integrated over faces on functions of the elements behind them: what terms need that have
// the gradient across the boundary, as those of Nitsche's method; and the form at the points, as fluxes and tractions.
//
// The form is one as operators have them, whose setup takes a face_mapping<T, Dim>, and whose gradients have as many
// directions as the elements. Both are of the element turned so that the face is where its last coordinate is 1; so are
// the mesh nodes, owner_nodes(nodes, faces), and the table of the restriction, owner_table(table, faces). The result is
// the same for any number of threads. A const operator may be applied by several threads at once, each with a
// restriction of its own.
// **Shapes** mesh nodes (F, m, m, m, 3), or (F, m, m, 2) of the faces of quadrilaterals, which must have nodes that
// lie symmetrically on edges; x and y as the restriction has them.
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
  using scalar_type = typename options::numbers;
  using arithmetic_type = scalar_type;
  using factor_type = scalar_type;
  using backend_type = host;
  using restriction_type = restriction<scalar_type>;

  static constexpr int order = detail::degree_of<Space>, nodes_1d = order + 1, points_1d = points_type::size;
  static constexpr int directions = detail::directions_of<Space>, components = components_of<Form>;
  static constexpr bool linear = is_linear<Form>, symmetric = may_be_symmetric<Form>;

  // `node_set` says where the m nodes of a mesh element's edge lie; m = 2 and 3 need none. The mesh nodes are not kept.
  template <class Nodes, class NodeSet = unsaid_nodes>
  basic_face_operator(host const& backend, Nodes const& nodes, Form const& form = detail::form_by_default<Form>(),
                      NodeSet const& node_set = {})
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
    sweep("face_operator::apply", r, x, y, detail::sweep_mode::write, detail::action_of(r.options().rows));
  }
  template <class From, class To>
  void apply_add(restriction_type const& r, From const& x, To const& y) const
  {
    sweep("face_operator::apply_add", r, x, y, detail::sweep_mode::add, detail::row_action::none);
  }

  // d = the diagonal of what apply() multiplies by.
  template <class Diagonal>
  void diagonal(restriction_type const& r, Diagonal const& d) const
  {
    constexpr auto here = "face_operator::diagonal";
    static_assert(is_linear<Form>, "sumfac::face_operator: a form that is not linear has no diagonal");
    if constexpr (is_linear<Form> && detail::are_global<scalar_type, Diagonal, Diagonal>()) {
      check_call(here, "d", r, d);
      if (auto const twice = r.repeated_node(); twice.element >= 0)
        failf(here,
              "the element behind face %lld has node %lld more than once, so that the matrix has more on its diagonal "
              "than its elements have: solve without a preconditioner",
              static_cast<long long>(twice.element), static_cast<long long>(twice.node));
      if (r.table().has_rows())
        detail::row_diagonal(
            r, view<scalar_type, dextents<1>>(d),
            [this](auto const& of, auto const& to) { this->add_diagonals(of, to); },
            [this](auto const& of, auto const& x, auto const& y) { this->apply(of, x, y); });
      else
        add_diagonals(r, d);
    }
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
      check_call(here, "x", r, x);
      auto const to = detail::describe<components, directions - 1>(here, "t", t, faces_, points_1d);
      detail::check_distinct(here, x, t, "x", "t");
      if (static_cast<index_t>(r.active().size()) != r.elements())
        failf(here, "the restriction is a subset (%lld of %lld faces): pass the whole",
              static_cast<long long>(r.active().size()), static_cast<long long>(r.elements()));
      scalar_type const* const from = x.data();
      r.storage().read(from, [&](auto const& lanes) {
        kernel const read{{}, form_, vectors{lanes, lanes}, factors_.read()};
        backend_.balance(detail::face_factors<problem>::groups(faces_), [&](index_t first, index_t last) {
          using team = host::team<kernel>;
          using packed = typename kernel::packed;
          detail::run_groups(read, [&](auto& s, auto const&) {
            for (index_t group = first; group < last; ++group) {
              read.to_points(team{}, s, group);
              index_t const face = group * packed::width, left = faces_ - face;
              for (int i = 0; i < kernel::points_of_face; ++i) {
                int const q = i % points_1d, j = i / points_1d;
                read.template at_point<packed>(s, group, j, q, [&](int c, packed const& of_lanes) {
                  for (int lane = 0; lane < packed::width && lane < left; ++lane)
                    to(face + lane, c, 0, j, q) = of_lanes[lane];
                });
              }
            }
          });
        });
      });
    }
  }

  index_t faces() const { return faces_; }
  index_t elements() const { return faces_; }  // of its restriction
  Form const& form() const { return form_; }
  Form& form() { return form_; }  // to change members that only apply() reads
  host const& backend() const { return backend_; }

private:
  using problem = typename options::problem;
  using vectors = detail::host_global_vectors<problem>;
  using kernel = detail::face_kernel<problem, vectors>;

  // What one application of it asks.
  template <class How>
  using problem_of = typename detail::applied_problem<options, How>::type;
  template <class How>
  struct choice_of {
    using global_vectors = detail::host_global_vectors<problem_of<How>>;
    using pair_vectors = global_vectors;
  };
  template <class How, class Vectors>
  auto kernel_of(How const& how, Vectors const& x_and_y) const
  {
    using kernel_type = detail::face_kernel<problem_of<How>, Vectors>;
    return kernel_type{{}, how.form(form_), x_and_y, {factors_.read().stored}};
  }
  index_t bytes_moved() const { return 0; }
  template <class Operator, class How>
  friend class detail::application;

  template <class From, class To>
  void sweep(char const* where, restriction_type const& r, From const& x, To const& y, detail::sweep_mode mode,
             detail::row_action rows) const
  {
    if constexpr (detail::are_global<scalar_type, From, To>()) {
      check_call(where, "x", r, x);
      check_call(where, "y", r, y);
      detail::check_distinct(where, x, y, "x", "y");
      scalar_type const* const from = x.data();
      detail::sweep_kernel<vectors>(r.backend(), r.storage(), from, y.data(), mode, rows, [&](auto const& x_and_y) {
        return kernel{{}, form_, x_and_y, factors_.read()};
      });
    }
  }

  // d = the sums of the faces' diagonals.
  template <class Diagonal>
  void add_diagonals(restriction_type const& r, Diagonal const& d) const
  {
    auto const lanes = r.storage().lanes(nullptr, d.data());
    detail::face_diagonal<problem> const of_faces{{}, form_, factors_.read()};
    r.storage().sweep(nullptr, d.data(), detail::sweep_mode::write, detail::row_action::zero,
                      [&](index_t const* group, index_t const* last, auto const&) {
                        buffer<typename kernel::packed> packs(host{1}, problem::entries_of_element);
                        for (; group != last; ++group) {
                          of_faces.compute(*group, packs.data());
                          lanes.template add<nodes_1d, components, directions>(*group, packs.data());
                        }
                      });
    r.storage().set_constrained(d.data(), static_cast<scalar_type>(r.options().rows.value));
  }
  template <class Vector>
  void check_call(char const* where, char const* what, restriction_type const& r, Vector const& x) const
  {
    detail::check_restriction(where, "", r, backend_, {faces_, directions, nodes_1d, components});
    detail::check_extent(where, what, 0, "entries", r.size(), x.extent(0));
    check_data(where, what, x.data(), r.size());
  }

  host backend_;
  Form form_;
  index_t faces_ = 0;
  detail::face_factors<problem> factors_;
};

// A face operator by its options: a rule of points (gauss<degree + 2> where none is said) and double or float, in any
// order.
template <class Form, auto Space, class... Options>
using face_operator = typename detail::checked_operator<basic_face_operator, Form, Space, Options...>::type;

}  // namespace sumfac
