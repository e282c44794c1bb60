// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// One application of an element operator: on E-vectors, or through one or two restrictions on global vectors.
#pragma once

#include <sumfac/element/geometry/cell_tables.hpp>
#include <sumfac/element/kernel/launch_groups.hpp>
#include <sumfac/element/kernel/problem.hpp>
#include <sumfac/element/kernel/swept_team.hpp>
#include <sumfac/element/vectors/host_global.hpp>
#include <sumfac/element/vectors/host_vectors.hpp>
#include <sumfac/form/detail/transposed_form.hpp>
#include <sumfac/operator/detail/call_checks.hpp>
#include <sumfac/operator/detail/operator_arguments.hpp>
#include <sumfac/operator/detail/row_diagonal.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// How an operator is applied: as it is, its inputs kept where it has some; by its transpose; times a number; or with
// fields_at_call.
struct as_it_is {
  static constexpr bool packs_vectors = true;  // whether packed E-vectors have a kernel of their own
  as_it_is() = default;
  template <class Operator>
  as_it_is(Operator const&, char const*)
  {
  }
  template <class View>
  void check_apart(View const&, char const*) const
  {
  }
  template <class Form>
  static Form const& form(Form const& f)
  {
    return f;
  }
  template <class Reader>
  static Reader const& reader(Reader const& of_geometry)
  {
    return of_geometry;
  }
};
struct of_transpose : as_it_is {
  static constexpr bool packs_vectors = false;
  template <class Form>
  static transposed_form<Form> form(Form const& f)
  {
    return f;
  }
  template <class Reader>
  static Reader reader(Reader const& of_geometry)
  {
    return transposed_reader(of_geometry);
  }
};
struct scaled_by : as_it_is {
  static constexpr bool packs_vectors = false;
  double scale;
  explicit scaled_by(double number) : scale(number) {}
  template <class Form>
  scaled_form<Form> form(Form const& f) const
  {
    return {f, scale};
  }
};

// What is computed then, of an operator of these options.
template <class Options, class How>
struct applied_problem {
  using type = typename Options::problem;
};
template <class Options>
struct applied_problem<Options, of_transpose> {
  using type = problem<transposed_form<typename Options::form>, test_space_of<Options::space>, typename Options::points,
                       typename Options::numbers, space_of<Options::space>>;
};
template <class Options>
struct applied_problem<Options, scaled_by> {
  using type = problem<scaled_form<typename Options::form>, space_of<Options::space>, typename Options::points,
                       typename Options::numbers, test_space_of<Options::space>>;
};

// Kernels of operators as parts of others: see apply_element.hpp.
template <class Operator>
class operator_parts;

// Of an operator A for the length of one call of `where`.
template <class Operator, class How = as_it_is>
class application {
  using scalar = typename Operator::scalar_type;
  using backend = typename Operator::backend_type;
  using restriction_type = restriction<scalar, backend>;
  using const_view = view<scalar const, dextents<1>>;
  using vector_view = view<scalar, dextents<1>>;
  using problem = typename Operator::template problem_of<How>;
  using choice = typename Operator::template choice_of<How>;

public:
  application(Operator const& a, char const* where, How const& how = {}) : a_(a), where_(where), how_(how) {}

  // v = A u on E-vectors.
  template <class From, class To>
  void on_elements(From const& u, To const& v) const
  {
    auto const u_and_v = vectors_of(u, v);
    how_.check_apart(v, "v");
    if (a_.elements() > 0) a_.launch(how_, u_and_v, 0, a_.elements());
  }
  // The same, and what the kernel of an interior_operator adds, which reads so many bytes more, in one sweep on the
  // host; `of_faces` launches it, beside what processes exchange.
  template <class Part, class Faces, class From, class To>
  void on_elements_and(Part const& of_faces, Faces const& faces, index_t bytes, From const& u, To const& v) const
  {
    using vectors = swept_vectors<problem, Faces>;
    auto const u_and_v =
        e_vectors<typename choice::vectors, problem>(where_, u, v, a_.elements(), a_.bytes_moved() + bytes, sizes());
    of_faces.sweep(a_.backend(), a_.kernel_of(how_, vectors{u_and_v, faces}), faces.u);
  }
  // The same on a device, of packed vectors, in one kernel of so many teams a multiprocessor.
  template <int Teams, class Faces, class From, class To>
  void on_teams_and(Faces const& faces, From const& u, To const& v) const
  {
    using vectors = waiting_vectors<problem, choice::elements>;
    auto const within =
        a_.kernel_of(how_, vectors{{vectors_of(u, v).template packed<problem::components, problem::nodes_1d>()}});
    using kernel = swept_kernel<std::remove_const_t<decltype(within)>, vectors, Faces, Teams>;
    if (a_.elements() > 0) a_.backend().launch(kernel{within, faces}, choice::storage::groups(a_.elements()));
  }
  // The kernel of it, for a launch of somebody else's.
  template <class From, class To>
  auto kernel(From const& u, To const& v) const
  {
    return a_.kernel_of(how_, vectors_of(u, v));
  }

  // y = R^T A R x, and the constrained entries; on the host with hooks around each piece of it.
  template <class... Hooks>
  void write(restriction_type const& r, const_view const& x, vector_view const& y, Hooks const&... hooks) const
  {
    sweep(r, x, y, sweep_mode::write, rows(r), hooks...);
  }
  // y = y + R^T A R x.
  void add(restriction_type const& r, const_view const& x, vector_view const& y) const
  {
    sweep(r, x, y, sweep_mode::add, row_action::none);
  }
  // The same between two spaces: y = R_test^T A R_trial x, 0 at constrained entries, or added to y.
  void between(restriction_type const& r_test, restriction_type const& r_trial, const_view const& x,
               vector_view const& y, sweep_mode mode) const
  {
    check_side<typename problem::test_side>(" of the result", r_test);
    check_side<typename problem::trial_side>(" of x", r_trial);
    check_subsets(where_, r_test, r_trial);
    check_global(where_, "x", x, r_trial);
    check_global(where_, "y", y, r_test);
    check_distinct(where_, x, y, "x", "y");
    sweep_pair<typename choice::pair_vectors>(r_test.backend(), r_test.storage(), r_trial.storage(), x.data(), y.data(),
                                              mode, mode == sweep_mode::write ? row_action::zero : row_action::none,
                                              [&](auto const& x_and_y) { return a_.kernel_of(how_, x_and_y); });
  }

  // The part of write() on a device that elements do, between what the restriction's storage does before and after.
  void launch_elements(restriction_type const& r, scalar const* x, scalar* y) const
  {
    using vectors = typename choice::global_vectors;
    auto const make = [this](auto u_and_v) { return a_.kernel_of(how_, u_and_v); };
    auto const& of = storage(r);
    if constexpr (has_masks<choice, backend>)
      if (of.has_masks())
        return launch_by_masks<vectors, typename choice::masked_vectors>(r.backend(), of, x, y, sweep_mode::write,
                                                                         make);
    of.for_groups(vectors::elements, group_launcher<vectors>(r.backend(), of, x, y, sweep_mode::write, make));
  }
  // Of elements as this operator's kernels read and add.
  static auto const& storage(restriction_type const& r)
  {
    if constexpr (has_masks<choice, backend>)
      return r.storage().by_masks();
    else
      return r.storage();
  }
  static row_action rows(restriction_type const& r) { return action_of(r.options().rows); }
  // All of it where restriction and kernel have patches of one size; whether they have.
  bool by_patches(restriction_type const& r, scalar const* x, scalar* y, sweep_mode mode, row_action rows) const
  {
    if constexpr (has_patches<choice>)
      return sweep_patches<typename choice::patch_vectors>(r.backend(), r.storage(), x, y, mode, rows,
                                                           [&](auto x_and_y) { return a_.kernel_of(how_, x_and_y); });
    else
      return false;
  }

  // The kernel that adds R^T A R x to y, on a device, for a launch of somebody else's.
  auto adding_kernel(restriction_type const& r, const_view const& x, vector_view const& y) const
  {
    check_vectors(r, x, y);
    r.refuse_rows(where_, "launch apply(), which works them around its kernel");
    if (r.options().policy != scatter::atomic)
      fail(where_,
           "the restriction is scatter::deterministic, whose sums take a second kernel: make it with "
           "{.policy = sumfac::scatter::atomic}");
    return a_.kernel_of(how_, typename choice::global_vectors{{r.storage().table(), x.data(), y.data()}});
  }

  // d = the diagonal of A, an E-vector; a device has written it on return.
  template <class Diagonal>
  void diagonal(Diagonal const& d) const
  {
    auto const to = describe<problem::components, problem::axes>(where_, "d", d, a_.elements(),
                                                                 known_or(problem::nodes_1d, sizes().functions));
    if (a_.elements() == 0) return;
    scalar const* const no_u = nullptr;
    auto const of_diagonal = a_.diagonal_from(
        typename choice::vectors{whole_vector<typename problem::trial_side>(no_u, a_.elements(), sizes()), to});
    if constexpr (is_device<backend>) a_.backend().template prepare<std::remove_const_t<decltype(of_diagonal)>>();
    launch_groups(a_.backend(), of_diagonal, choice::storage::groups(a_.elements()));
    if constexpr (is_device<backend>) a_.backend().synchronize();
  }
  // d = the diagonal of what write() multiplies by.
  void diagonal(restriction_type const& r, vector_view const& d) const
  {
    check_side<typename problem::trial_side>("", r);
    check_global(where_, "d", d, r);
    refuse_repeated_nodes(where_, r);
    if (r.table().has_rows())
      row_diagonal(
          r, d, [this](auto const& of, vector_view const& to) { this->add_diagonals(of, to); },
          [this](auto const& of, const_view const& x, vector_view const& y) { this->write(of, x, y); });
    else
      add_diagonals(r, d);
  }

private:
  // d = the sums of the elements' diagonals.
  void add_diagonals(restriction_type const& r, vector_view const& d) const
  {
    using vectors = typename choice::global_vectors;
    scalar const* const no_x = nullptr;
    sweep_kernel<vectors>(r.backend(), r.storage(), no_x, d.data(), sweep_mode::write, row_action::zero,
                          [&](auto const& to_v) { return a_.diagonal_from(to_v); });
    r.storage().set_constrained(d.data(), static_cast<scalar>(r.options().rows.value));
  }

  template <class From, class To>
  auto vectors_of(From const& u, To const& v) const
  {
    return e_vectors<typename choice::vectors, problem>(where_, u, v, a_.elements(), a_.bytes_moved(), sizes());
  }

  template <class... Hooks>
  void sweep(restriction_type const& r, const_view const& x, vector_view const& y, sweep_mode mode, row_action rows,
             Hooks const&... hooks) const
  {
    using vectors = typename choice::global_vectors;
    check_vectors(r, x, y);
    if (by_patches(r, x.data(), y.data(), mode, rows)) return;
    if constexpr (has_masks<choice, backend>)
      if (auto const& of = storage(r); of.has_masks())
        return of.around(x.data(), y.data(), mode, rows, [&] {
          launch_by_masks<vectors, typename choice::masked_vectors>(
              r.backend(), of, x.data(), y.data(), mode, [this](auto u_and_v) { return a_.kernel_of(how_, u_and_v); });
        });
    sweep_kernel<vectors>(
        r.backend(), r.storage(), x.data(), y.data(), mode, rows,
        [&](auto u_and_v) {
          if constexpr (vectors::gathers) u_and_v.size = footprint_of(a_.bytes_moved());
          return a_.kernel_of(how_, u_and_v);
        },
        hooks...);
  }

  void check_vectors(restriction_type const& r, const_view const& x, vector_view const& y) const
  {
    check_side<typename problem::trial_side>("", r);
    check_global(where_, "x", x, r);
    check_global(where_, "y", y, r);
    check_distinct(where_, x, y, "x", "y");
    how_.check_apart(y, "y");
  }

  template <class Side>
  void check_side(char const* whose, restriction_type const& r) const
  {
    check_restriction(where_, whose, r, a_.backend(),
                      {a_.elements(), problem::axes, known_or(Side::nodes_1d, sizes().functions), Side::components});
  }

  // What the compiler does not know of elements' sizes; sides have no such.
  auto sizes() const
  {
    if constexpr (requires { a_.counts_; })
      return a_.counts_.sizes;
    else
      return cell_sizes<false>{};
  }

  Operator const& a_;
  char const* where_;
  std::conditional_t<std::is_base_of_v<as_it_is, How>, How, How const&> how_;
};

}  // namespace sumfac::detail
