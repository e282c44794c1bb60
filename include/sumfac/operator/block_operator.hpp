// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Two unknowns in one vector, as velocities and pressures: four blocks as one operator.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/detail/memory.hpp>
#include <sumfac/config.hpp>
#include <sumfac/dofs/halo.hpp>
#include <sumfac/dofs/parts/part_cut.hpp>
#include <sumfac/dofs/vectors/vector_checks.hpp>
#include <sumfac/error.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/math/precision.hpp>
#include <sumfac/operator/detail/operator_arguments.hpp>
#include <sumfac/operator/detail/team_sweep.hpp>
#include <sumfac/view/vector_argument.hpp>
#include <sumfac/view/view.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET {

// An operator between two spaces and the restriction of each as a matrix, y = R_test^T B R_trial x, 0 at constrained
// entries: rows() entries of the test functions' vector, columns() of the trial functions'. Refers to all three, which
// must live as long.
template <class Operator, class Restriction>
class coupling {
public:
  using scalar_type = typename Operator::scalar_type;
  using backend_type = typename Operator::backend_type;
  using arithmetic_type = typename detail::operator_arithmetic<Operator>::type;
  using from_vector = vector_argument<scalar_type const>;
  using to_vector = vector_argument<scalar_type>;
  static constexpr bool linear = is_linear<Operator>;

  coupling(Operator const& b, Restriction const& r_test, Restriction const& r_trial)
      : operator_(&b), test_(&r_test), trial_(&r_trial)
  {
    auto const demand = [&](char const* whose, index_t got) {
      if (got != b.elements())
        failf("coupling",
              "number of elements of the restriction of %s functions does not match (expected %lld, got %lld)", whose,
              static_cast<long long>(b.elements()), static_cast<long long>(got));
    };
    demand("test", r_test.elements());
    demand("trial", r_trial.elements());
  }
  coupling(Operator const&&, Restriction const&, Restriction const&) = delete;

  // y = B x and y = y + B x; y = B^T x and y = y + B^T x.
  void apply(from_vector x, to_vector y) const { operator_->apply(*test_, *trial_, x, y); }
  void apply_add(from_vector x, to_vector y) const { operator_->apply_add(*test_, *trial_, x, y); }
  void apply_transposed(from_vector x, to_vector y) const { operator_->apply_transposed(*trial_, *test_, x, y); }
  void apply_transposed_add(from_vector x, to_vector y) const
  {
    operator_->apply_transposed_add(*trial_, *test_, x, y);
  }

  index_t rows() const { return test_->size(); }
  index_t columns() const { return trial_->size(); }
  backend_type const& backend() const { return test_->backend(); }

private:
  Operator const* operator_;
  Restriction const *test_, *trial_;
};

// The transpose of a coupling.
template <class Coupling>
class transposed_coupling {
public:
  using from_vector = typename Coupling::from_vector;
  using to_vector = typename Coupling::to_vector;
  using arithmetic_type = typename Coupling::arithmetic_type;
  static constexpr bool linear = is_linear<Coupling>;

  explicit transposed_coupling(Coupling const& b) : coupling_(b) {}

  void apply(from_vector x, to_vector y) const { coupling_.apply_transposed(x, y); }
  void apply_add(from_vector x, to_vector y) const { coupling_.apply_transposed_add(x, y); }
  void apply_transposed(from_vector x, to_vector y) const { coupling_.apply(x, y); }
  void apply_transposed_add(from_vector x, to_vector y) const { coupling_.apply_add(x, y); }

  index_t rows() const { return coupling_.columns(); }
  index_t columns() const { return coupling_.rows(); }

private:
  Coupling coupling_;
};

// A block that is 0.
struct no_block {};

// The matrix [A B'; B C] on vectors (x_1, x_2), one behind the other in memory, to solvers: A on the first unknowns and
// C on the second are matrices as solvers take them, or C is no_block; B and B' are couplings, B' = B^T where it is
// left out:
//
//     sumfac::block_operator const S{sumfac::global_operator{K, of_u}, sumfac::coupling{B, of_p, of_u}};
//
// Copies the blocks, which refer to their operators and restrictions.
// **Shapes** x, y, d: the first unknown's entries, then the second's.
// **Work** that of the blocks. Rows of constrained entries of the second unknown are C's, and 0 where there is none.
// **Errors** argument_error for blocks that do not fit next to each other.
template <class First, class Upper, class Lower, class Second = no_block>
class block_operator {
  static_assert(!detail::has_halo<First> && !detail::has_halo<Second>,
                "sumfac::block_operator: a block has a halo, of a mesh in parts, and couplings have none: blocks are "
                "of whole meshes, on one process");

public:
  using scalar_type = typename First::scalar_type;
  using backend_type = typename First::backend_type;
  using arithmetic_type = detail::narrowest<typename First::arithmetic_type, typename Lower::arithmetic_type>;
  using from_vector = vector_argument<scalar_type const>;
  using to_vector = vector_argument<scalar_type>;
  static constexpr bool has_second = !std::is_same_v<Second, no_block>;
  static constexpr bool linear = is_linear<First> && is_linear<Upper> && is_linear<Lower> && is_linear<Second>;
  static constexpr bool symmetric = may_be_symmetric<First> && may_be_symmetric<Second>;

  block_operator(First const& a, Upper const& upper, Lower const& lower, Second const& c)
      : first_(a), upper_(upper), lower_(lower), second_(c), sizes_{a.size(), lower.rows()}
  {
    demand("columns of the lower left", sizes_[0], lower.columns());
    demand("rows of the upper right", sizes_[0], upper.rows());
    demand("columns of the upper right", sizes_[1], upper.columns());
    if constexpr (has_second) demand("size of the lower right", sizes_[1], c.size());
  }
  block_operator(First const& a, Lower const& lower, Second const& c = {})
    requires std::is_same_v<Upper, transposed_coupling<Lower>>
      : block_operator(a, Upper(lower), lower, c)
  {
  }

  void apply(from_vector x, to_vector y) const
  {
    detail::check_vectors("block_operator::apply", "x", x.entries, size(), "y", y.entries, size());
    auto const u = first(x.entries), p = second(x.entries);
    auto const f = first(y.entries), g = second(y.entries);
    first_.apply(u, f);
    upper_.apply_add(p, f);
    if constexpr (has_second) {
      second_.apply(p, g);
      lower_.apply_add(u, g);
    } else {
      lower_.apply(u, g);
    }
  }
  // Of A and C; 0 where there is no C.
  void diagonal(to_vector d) const
  {
    detail::check_extent("block_operator::diagonal", "d", 0, "entries", size(), d.entries.extent(0));
    first_.diagonal(first(d.entries));
    if constexpr (has_second)
      second_.diagonal(second(d.entries));
    else
      detail::each_entry(backend(), sizes_[1], detail::zero_body<scalar_type>{second(d.entries).data()});
  }

  index_t size() const { return sizes_[0] + sizes_[1]; }
  backend_type const& backend() const { return first_.backend(); }

  // The entries of one unknown, as a view.
  template <class Vector>
  auto first(Vector&& x) const
  {
    return cut(detail::as_vector(x), 0);
  }
  template <class Vector>
  auto second(Vector&& x) const
  {
    return cut(detail::as_vector(x), 1);
  }

  First const& first_block() const { return first_; }
  Upper const& upper_block() const { return upper_; }
  Lower const& lower_block() const { return lower_; }
  Second const& second_block() const { return second_; }

private:
  static void demand(char const* what, index_t expected, index_t got)
  {
    if (got != expected)
      failf("block_operator", "the blocks do not fit next to each other (%s block: got %lld, %lld expected)", what,
            static_cast<long long>(got), static_cast<long long>(expected));
  }

  template <class T, class Extents, class Layout>
  view<T, dextents<1>> cut(view<T, Extents, Layout> const& x, int block) const
  {
    detail::check_extent("block_operator", "x", 0, "entries", size(), x.extent(0));
    return view<T, dextents<1>>(x.data() + (block == 0 ? 0 : sizes_[0]), sizes_[block]);
  }

  First first_;
  Upper upper_;
  Lower lower_;
  SUMFAC_NO_UNIQUE_ADDRESS Second second_;
  index_t sizes_[2];
};

template <class First, class Lower>
block_operator(First const&, Lower const&) -> block_operator<First, transposed_coupling<Lower>, Lower>;
template <class First, class Lower, class Second>
block_operator(First const&, Lower const&, Second const&)
    -> block_operator<First, transposed_coupling<Lower>, Lower, Second>;

}  // namespace sumfac
