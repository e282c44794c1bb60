// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Two unknowns in one vector, as velocities and pressures: four blocks as one operator.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/dofs/parts/mesh_part.hpp>
#include <sumfac/operator/detail/operator_arguments.hpp>
#include <sumfac/operator/detail/team_sweep.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET {

// An operator between two spaces and the restriction of each as a matrix, y = R_test^T B R_trial x, 0 at constrained
// entries: rows() entries of the test functions' vector, columns() of the trial functions'. Refers to all three, which
// must live as long.
//
// With the halo of each space's nodes it is that of a mesh in parts, as a global_operator with a halo: vectors have the
// entries of owned nodes, and all processes call the same members in the same order.
// **Errors** argument_error, in parts on all processes, for a restriction of other elements or of other nodes than the
// halo's.
template <class Operator, class Restriction, class Halo = whole>
class coupling {
  static constexpr bool in_parts = !detail::is_whole<Halo>;
  using const_view = view<typename Operator::scalar_type const, dextents<1>>;
  using vector_view = view<typename Operator::scalar_type, dextents<1>>;

public:
  using scalar_type = typename Operator::scalar_type;
  using backend_type = typename Operator::backend_type;
  using arithmetic_type = detail::operator_arithmetic<Operator>;
  using from_vector = vector_argument<scalar_type const>;
  using to_vector = vector_argument<scalar_type>;
  static constexpr bool linear = is_linear<Operator>;

  coupling(Operator const& b, Restriction const& r_test, Restriction const& r_trial)
    requires(!in_parts)
      : coupling(b, r_test, r_trial, detail::of_one_process, detail::of_one_process)
  {
  }
  coupling(Operator const& b, Restriction const& r_test, Restriction const& r_trial, Halo const& of_test,
           Halo const& of_trial, distributed_options const& options = {})
      : operator_(&b),
        test_(agreed(b, r_test, of_test, "test")),
        trial_(agreed(b, r_trial, of_trial, "trial")),
        halo_(&of_test),
        parts_(r_trial, of_trial, nullptr, r_test, of_test, nullptr, options)
  {
  }
  template <class Applied, class Test, class Trial>
    requires(!in_parts && detail::any_temporary<Applied, Test, Trial>)
  coupling(Applied&& b, Test&& r_test, Trial&& r_trial)
      : coupling(refuse_temporary<Applied, Test, Trial>(b), r_test, r_trial)
  {
  }
  template <class Applied, class Test, class Trial, class OfTest, class OfTrial>
    requires detail::any_temporary<Applied, Test, Trial, OfTest, OfTrial>
  coupling(Applied&& b, Test&& r_test, Trial&& r_trial, OfTest&& of_test, OfTrial&& of_trial,
           distributed_options const& options = {})
      : coupling(refuse_temporary<Applied, Test, Trial, OfTest, OfTrial>(b), r_test, r_trial, of_test, of_trial,
                 options)
  {
  }

  // y = B x and y = y + B x; y = B^T x and y = y + B^T x.
  void apply(from_vector x, to_vector y) const
  {
    run<false>("coupling::apply", x.entries, y.entries, detail::sweep_mode::write);
  }
  void apply_add(from_vector x, to_vector y) const
  {
    run<false>("coupling::apply_add", x.entries, y.entries, detail::sweep_mode::add);
  }
  void apply_transposed(from_vector x, to_vector y) const
  {
    run<true>("coupling::apply_transposed", x.entries, y.entries, detail::sweep_mode::write);
  }
  void apply_transposed_add(from_vector x, to_vector y) const
  {
    run<true>("coupling::apply_transposed_add", x.entries, y.entries, detail::sweep_mode::add);
  }

  index_t rows() const { return parts_.coarse().size(); }
  index_t columns() const { return parts_.fine().size(); }
  backend_type const& backend() const { return test_->backend(); }

  // In parts besides: that of the test functions' nodes, and by what sums are added up.
  Halo const& halo() const
    requires in_parts
  {
    return *halo_;
  }
  sumfac::reduction reduction() const
    requires in_parts
  {
    return halo().reduction();
  }

private:
  template <class... Arguments>
  static Operator const& refuse_temporary(Operator const& b)
  {
    static_assert(!detail::any_temporary<Arguments...>,
                  "sumfac::coupling: it refers to operator, restrictions and halos, so none may be a temporary: give "
                  "them names, and keep them as long as it");
    return b;
  }
  static Restriction const* agreed(Operator const& b, Restriction const& r, Halo const& halo, char const* whose)
  {
    detail::first_problem text;
    auto const printed = [](index_t i) { return static_cast<long long>(i); };
    if (r.elements() != b.elements())
      text.say("number of elements of the restriction of %s functions does not match (expected %lld, got %lld)", whose,
               printed(b.elements()), printed(r.elements()));
    if constexpr (in_parts) {
      static_assert(std::is_same_v<Restriction, restriction<scalar_type, backend_type>>,
                    "sumfac::coupling: of a mesh in parts the restrictions must be of the operator's scalar type and "
                    "backend: sumfac::restriction<scalar_type, backend_type>");
      static_assert(halo_for<Halo, scalar_type, backend_type>,
                    "sumfac::coupling: behind the two restrictions come two halos, as sumfac::mpi::halo");
      if (r.nodes() != halo.owned() + halo.ghosts())
        text.say(
            "the restriction of %s functions has not the nodes of its halo (%lld, %lld owned and %lld ghosts "
            "expected)",
            whose, printed(r.nodes()), printed(halo.owned()), printed(halo.ghosts()));
    }
    detail::agree(halo, "coupling", text);
    return &r;
  }

  template <bool Transposed>
  void run(char const* where, const_view const& x, vector_view const& y, detail::sweep_mode mode) const
  {
    if constexpr (in_parts) {
      auto const& from = Transposed ? parts_.coarse() : parts_.fine();
      auto const& to = Transposed ? parts_.fine() : parts_.coarse();
      detail::check_vectors(where, "x", x, from.size(), "y", y, to.size());
      auto const work = [&](auto const& r_from, auto const& r_to, scalar_type const* u, scalar_type* v, auto how) {
        on_elements<Transposed>(r_to, r_from, const_view(u, r_from.size()), vector_view(v, r_to.size()), how);
      };
      from.sweep(to, x.data(), y.data(), work, mode);
    } else {
      on_elements<Transposed>(Transposed ? *trial_ : *test_, Transposed ? *test_ : *trial_, x, y, mode);
    }
  }
  template <bool Transposed>
  void on_elements(Restriction const& r_to, Restriction const& r_from, const_view const& x, vector_view const& y,
                   detail::sweep_mode mode) const
  {
    bool const writes = mode == detail::sweep_mode::write;
    if constexpr (Transposed)
      writes ? operator_->apply_transposed(r_to, r_from, x, y) : operator_->apply_transposed_add(r_to, r_from, x, y);
    else
      writes ? operator_->apply(r_to, r_from, x, y) : operator_->apply_add(r_to, r_from, x, y);
  }

  Operator const* operator_;
  Restriction const *test_, *trial_;
  Halo const* halo_;
  detail::part_pair<scalar_type, backend_type, Halo> parts_;  // fine the trial functions', coarse the test functions'
};

template <class Operator, class Restriction>
coupling(Operator const&, Restriction const&, Restriction const&) -> coupling<Operator, Restriction>;
template <class Operator, class Restriction, class Halo>
coupling(Operator const&, Restriction const&, Restriction const&, Halo const&, Halo const&)
    -> coupling<Operator, Restriction, Halo>;
template <class Operator, class Restriction, class Halo>
coupling(Operator const&, Restriction const&, Restriction const&, Halo const&, Halo const&, distributed_options const&)
    -> coupling<Operator, Restriction, Halo>;

namespace detail {

// A copy of a block; of a mesh in parts, where it has buffers of its own and is not copied, a reference to it.
template <class Block>
class kept_block {
  static constexpr bool is_copied = std::is_copy_constructible_v<Block>;

public:
  explicit kept_block(Block const& block) : kept_(of(block)) {}
  Block const& operator*() const
  {
    if constexpr (is_copied)
      return kept_;
    else
      return *kept_;
  }
  Block const* operator->() const { return &**this; }

private:
  static decltype(auto) of(Block const& block)
  {
    if constexpr (is_copied)
      return (block);
    else
      return &block;
  }
  SUMFAC_NO_UNIQUE_ADDRESS std::conditional_t<is_copied, Block, Block const*> kept_;
};

// What such a reference must not be to.
template <class Argument>
concept uncopied_temporary =
    !std::is_lvalue_reference_v<Argument> && !std::is_copy_constructible_v<std::remove_cvref_t<Argument>>;

}  // namespace detail

// The transpose of a coupling; in parts it refers to it, which must live as long.
template <class Coupling>
class transposed_coupling {
public:
  using from_vector = typename Coupling::from_vector;
  using to_vector = typename Coupling::to_vector;
  using arithmetic_type = typename Coupling::arithmetic_type;
  static constexpr bool linear = is_linear<Coupling>;

  explicit transposed_coupling(Coupling const& b) : coupling_(b) {}
  explicit transposed_coupling(Coupling const&&)
    requires detail::matrix_in_parts<Coupling>
  = delete;

  void apply(from_vector x, to_vector y) const { coupling_->apply_transposed(x, y); }
  void apply_add(from_vector x, to_vector y) const { coupling_->apply_transposed_add(x, y); }
  void apply_transposed(from_vector x, to_vector y) const { coupling_->apply(x, y); }
  void apply_transposed_add(from_vector x, to_vector y) const { coupling_->apply_add(x, y); }

  index_t rows() const { return coupling_->columns(); }
  index_t columns() const { return coupling_->rows(); }
  auto const& halo() const
    requires detail::has_halo<Coupling>
  {
    return coupling_->halo();
  }
  auto reduction() const
    requires detail::matrix_in_parts<Coupling>
  {
    return coupling_->reduction();
  }

private:
  detail::kept_block<Coupling> coupling_;
};

// A block that is 0.
struct no_block {};

// The matrix [A B'; B C] on vectors (x_1, x_2), one behind the other in memory, to solvers: A on the first unknowns and
// C on the second are matrices as solvers take them, or C is no_block; B and B' are couplings, B' = B^T where it is
// left out:
//
//     sumfac::block_operator const S{sumfac::global_operator{K, of_u}, sumfac::coupling{B, of_p, of_u}};
//
// Copies the blocks, which refer to their operators and restrictions. Where blocks have halos, all of them, it is that
// of a mesh in parts: it refers to them, which must live as long, and has reduction(), by which solvers add up sums.
// **Shapes** x, y, d: the first unknown's entries, then the second's; in parts those that the process owns.
// **Work** that of the blocks. Rows of constrained entries of the second unknown are C's, and 0 where there is none.
// **Errors** argument_error, in parts on all processes, for blocks that do not fit next to each other.
template <class First, class Upper, class Lower, class Second = no_block>
class block_operator {
  static constexpr bool in_parts = detail::matrix_in_parts<First>;
  static_assert(detail::matrix_in_parts<Upper> == in_parts && detail::matrix_in_parts<Lower> == in_parts &&
                    (std::is_same_v<Second, no_block> || detail::matrix_in_parts<Second> == in_parts),
                "sumfac::block_operator: a block is of a mesh in parts, and another is not: give halos to all, to "
                "couplings that of each space, sumfac::coupling{B, of_p, of_u, halo_of_p, halo_of_u}, or to none");

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
    detail::first_problem text;
    auto const demand = [&](char const* what, index_t expected, index_t got) {
      if (got != expected && !text.found())
        text.say("the blocks do not fit next to each other (%s block: got %lld, %lld expected)", what,
                 static_cast<long long>(got), static_cast<long long>(expected));
    };
    demand("columns of the lower left", sizes_[0], lower.columns());
    demand("rows of the upper right", sizes_[0], upper.rows());
    demand("columns of the upper right", sizes_[1], upper.columns());
    if constexpr (has_second) demand("size of the lower right", sizes_[1], c.size());
    if constexpr (in_parts && detail::has_halo<Lower>)
      lower.halo().agree("block_operator", text);
    else
      detail::agree(whole{}, "block_operator", text);
  }
  block_operator(First const& a, Lower const& lower, Second const& c = {})
    requires std::is_same_v<Upper, transposed_coupling<Lower>>
      : block_operator(a, Upper(lower), lower, c)
  {
  }
  template <class Block, class... Blocks>
    requires(detail::uncopied_temporary<Block> || (detail::uncopied_temporary<Blocks> || ...))
  block_operator(Block&&, Blocks&&...) : block_operator(refuse_temporary<Block>())
  {
  }

  void apply(from_vector x, to_vector y) const
  {
    detail::check_vectors("block_operator::apply", "x", x.entries, size(), "y", y.entries, size());
    auto const u = first(x.entries), p = second(x.entries);
    auto const f = first(y.entries), g = second(y.entries);
    first_->apply(u, f);
    upper_->apply_add(p, f);
    if constexpr (has_second) {
      second_->apply(p, g);
      lower_->apply_add(u, g);
    } else {
      lower_->apply(u, g);
    }
  }
  // Of A and C; 0 where there is no C.
  void diagonal(to_vector d) const
  {
    detail::check_extent("block_operator::diagonal", "d", 0, "entries", size(), d.entries.extent(0));
    first_->diagonal(first(d.entries));
    if constexpr (has_second)
      second_->diagonal(second(d.entries));
    else
      detail::each_entry(backend(), sizes_[1], detail::zero_body<scalar_type>{second(d.entries).data()});
  }

  index_t size() const { return sizes_[0] + sizes_[1]; }
  backend_type const& backend() const { return first_->backend(); }

  sumfac::reduction reduction() const
    requires in_parts
  {
    return first_->reduction();
  }
  // That of the first unknown's nodes, of the processes that all blocks are of.
  auto const& halo() const
    requires detail::has_halo<First>
  {
    return first_->halo();
  }

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

  First const& first_block() const { return *first_; }
  Upper const& upper_block() const { return *upper_; }
  Lower const& lower_block() const { return *lower_; }
  Second const& second_block() const { return *second_; }

private:
  template <class Block>
  static block_operator const& refuse_temporary()
  {
    static_assert(detail::never<Block>,
                  "sumfac::block_operator: it refers to the blocks of a mesh in parts, so none may be a temporary: "
                  "give them names, and keep them as long as it");
    return *static_cast<block_operator const*>(nullptr);
  }

  template <class T, class Extents, class Layout>
  view<T, dextents<1>> cut(view<T, Extents, Layout> const& x, int block) const
  {
    detail::check_extent("block_operator", "x", 0, "entries", size(), x.extent(0));
    return view<T, dextents<1>>(x.data() + (block == 0 ? 0 : sizes_[0]), sizes_[block]);
  }

  detail::kept_block<First> first_;
  detail::kept_block<Upper> upper_;
  detail::kept_block<Lower> lower_;
  SUMFAC_NO_UNIQUE_ADDRESS detail::kept_block<Second> second_;
  index_t sizes_[2];
};

template <class First, class Lower>
block_operator(First const&, Lower const&) -> block_operator<First, transposed_coupling<Lower>, Lower>;
template <class First, class Lower, class Second>
block_operator(First const&, Lower const&, Second const&)
    -> block_operator<First, transposed_coupling<Lower>, Lower, Second>;

}  // namespace sumfac
