// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Contractions by teams of threads: the strategies as kernels for GPUs and the checked backend.
#pragma once

#include <sumfac/backend/policy.hpp>
#include <sumfac/intrepid/products/contraction.hpp>
#include <sumfac/intrepid/products/strategy_table.hpp>
#include <sumfac/intrepid/strategy.hpp>

#include <cstdint>

namespace sumfac::SUMFAC_TARGET::detail {

struct contracted_index {
  index_t p, d1, d2;
};

// Contracted index i of n0 x n1 x n2, innermost last. Divisions are slow on devices, those of 64 bits above all.
template <class Sum>
SUMFAC_INLINE contracted_index contracted_index_of(Sum const& s, index_t i)
{
  if (s.n1 == 1 && s.n2 == 1) return {i, 0, 0};
  if (s.length() <= index_t{0xffffffff}) {
    auto const at = static_cast<std::uint32_t>(i), n1 = static_cast<std::uint32_t>(s.n1);
    auto const n2 = static_cast<std::uint32_t>(s.n2), rest = at / n2;
    return {rest / n1, rest % n1, at % n2};
  }
  index_t const rest = i / s.n2;
  return {rest / s.n1, rest % s.n1, i % s.n2};
}

// Row `row` of cell c of a factor at contracted index i.
template <class Scalar, class Sum, class Operand>
SUMFAC_INLINE Scalar entry_at(Sum const& s, Operand const& x, index_t c, index_t row, index_t i)
{
  auto const [p, d1, d2] = contracted_index_of(s, i);
  return static_cast<Scalar>(x.at(c)[row * x.row + x.inner(p, d1, d2)]);
}

// The product of left and right row at contracted index i.
template <class Sum>
SUMFAC_INLINE typename Sum::accumulator contracted_product(Sum const& s, typename Sum::left_type const* left,
                                                           typename Sum::right_type const* right, index_t i)
{
  using scalar = typename Sum::accumulator;
  auto const [p, d1, d2] = contracted_index_of(s, i);
  return static_cast<scalar>(left[s.left.inner(p, d1, d2)]) * static_cast<scalar>(right[s.right.inner(p, d1, d2)]);
}

// Writes the sum of (cell c, left row l, right row r), or adds it.
template <class Sum>
SUMFAC_INLINE void put_sum(Sum const& s, index_t c, index_t l, index_t r, typename Sum::accumulator x)
{
  auto& entry = s.out.at(c)[l * s.out.row + r * s.out.k2];
  using out_type = typename Sum::out_type;
  entry = static_cast<out_type>(s.add ? static_cast<typename Sum::accumulator>(entry) + x : x);
}

struct contraction_output {
  index_t cell, left, right;
};

// Output number i, in the order of memory: cells fastest where they lie side by side, else right rows.
template <class Sum>
SUMFAC_INLINE contraction_output output_of(Sum const& s, index_t i)
{
  if (s.out.cell == 1 && s.cells > 1) {
    index_t const row = i / s.cells;
    return {i % s.cells, row / s.right_rows, row % s.right_rows};
  }
  index_t const row = i / s.right_rows;
  return {row / s.left_rows, row % s.left_rows, i % s.right_rows};
}

// A thread for each output.
template <class Sum>
struct flat_contraction {
  using scalar = typename Sum::accumulator;
  static constexpr int threads = 256;

  template <class Team>
  struct scratch {};

  index_t groups() const { return (outputs() + threads - 1) / threads; }

  template <class Team>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>&, index_t group) const
  {
    team.phase("sum");
    team.each(box<threads>{}, [&](int t) {
      index_t const i = group * threads + t;
      if (i < outputs()) sum(output_of(s, i));
    });
  }

  SUMFAC_FUNCTION index_t outputs() const { return s.cells * s.left_rows * s.right_rows; }
  SUMFAC_FUNCTION void sum(contraction_output const& o) const
  {
    auto const* const left = s.left.at(o.cell) + o.left * s.left.row;
    auto const* const right = s.right.at(o.cell) + o.right * s.right.row;
    scalar total = 0;
    for (index_t p = 0; p < s.n0; ++p)
      for (index_t d1 = 0; d1 < s.n1; ++d1)
        for (index_t d2 = 0; d2 < s.n2; ++d2)
          total +=
              static_cast<scalar>(left[s.left.inner(p, d1, d2)]) * static_cast<scalar>(right[s.right.inner(p, d1, d2)]);
    put_sum(s, o.cell, o.left, o.right, total);
  }

  Sum s;
};

// A team for Threads / Lanes outputs, Lanes threads for each: the last Depth contracted dimensions are spread over
// them.
template <class Sum, int Depth, int Lanes, int Threads>
struct reduction_contraction {
  using scalar = typename Sum::accumulator;
  static constexpr int threads = Threads, outputs = Threads / Lanes;

  template <class Team>
  struct scratch {
    typename Team::template shared<scalar, outputs, Lanes> part;

    void names(auto const& name) { name("part", part); }
  };

  index_t groups() const { return (count() + outputs - 1) / outputs; }

  template <class Team>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>& m, index_t group) const
  {
    team.phase("sum of a thread's share");
    team.each(box<outputs, Lanes>{}, [&](int o, int lane) {
      index_t const i = group * outputs + o;
      m.part(o, lane) = i < count() ? share(output_of(s, i), lane) : scalar(0);
    });
    team.phase("sum over threads");
    add_up<Lanes / 2>(team, m);
    team.sync();
    team.phase("write");
    team.each(box<outputs, Lanes>{}, [&](int o, int lane) {
      index_t const i = group * outputs + o;
      if (lane > 0 || i >= count()) return;
      auto const at = output_of(s, i);
      put_sum(s, at.cell, at.left, at.right, m.part(o, 0));
    });
  }

  template <int Half, class Team>
  SUMFAC_INLINE void add_up(Team const& team, scratch<Team>& m) const
  {
    if constexpr (Half > 0) {
      team.sync();
      team.each(box<outputs, Lanes>{}, [&](int o, int lane) {
        if (lane < Half) m.part(o, lane) = scalar(m.part(o, lane)) + scalar(m.part(o, lane + Half));
      });
      add_up<Half / 2>(team, m);
    }
  }

  SUMFAC_FUNCTION index_t count() const { return s.cells * s.left_rows * s.right_rows; }
  SUMFAC_FUNCTION scalar share(contraction_output const& o, int lane) const
  {
    auto const* const left = s.left.at(o.cell) + o.left * s.left.row;
    auto const* const right = s.right.at(o.cell) + o.right * s.right.row;
    index_t const all = s.length();
    index_t const inner = Depth == 1 ? s.n2 : Depth == 2 ? s.n1 * s.n2 : all;
    scalar total = 0;
    for (index_t outer = 0; outer < all; outer += inner)
      for (index_t i = lane; i < inner; i += Lanes) total += contracted_product(s, left, right, outer + i);
    return total;
  }

  Sum s;
};

// A team for Slices left rows of a cell, in scratch; a thread for each right row.
template <class Sum, int Slices, int Threads>
struct slicing_contraction {
  using scalar = typename Sum::accumulator;
  static constexpr int threads = Threads, depth = 64;

  template <class Team>
  struct scratch {
    typename Team::template shared<scalar, Slices, depth> left;

    void names(auto const& name) { name("left", left); }
  };

  SUMFAC_FUNCTION index_t slices() const { return (s.left_rows + Slices - 1) / Slices; }
  index_t groups() const { return s.cells * slices(); }

  template <class Team>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>& m, index_t group) const
  {
    index_t const c = group / slices(), l = group % slices() * Slices;
    for (index_t r = 0; r < s.right_rows; r += Threads) {
      typename Team::template per_thread<slice_sums, Threads> sums;
      team.each(box<Threads>{}, [&](int t) { sums(t) = {}; });
      for (index_t k = 0; k < s.length(); k += depth) {
        team.sync();
        team.phase("load the left slices");
        team.each(box<Slices, depth>{}, [&](int i, int j) {
          if (l + i < s.left_rows && k + j < s.length()) m.left(i, j) = entry_at<scalar>(s, s.left, c, l + i, k + j);
        });
        team.sync();
        team.phase("multiply");
        team.each(box<Threads>{}, [&](int t) {
          if (r + t < s.right_rows) add(m, sums(t), c, l, r + t, k);
        });
      }
      team.phase("write");
      team.each(box<Threads>{}, [&](int t) {
        for (int i = 0; i < Slices; ++i)
          if (r + t < s.right_rows && l + i < s.left_rows) put_sum(s, c, l + i, r + t, sums(t).value[i]);
      });
    }
  }

  struct slice_sums {
    scalar value[Slices];
  };

  template <class Scratch>
  SUMFAC_FUNCTION void add(Scratch& m, slice_sums& sums, index_t c, index_t l, index_t r, index_t k) const
  {
    auto const* const right = s.right.at(c) + r * s.right.row;
    int const count = s.length() - k < depth ? static_cast<int>(s.length() - k) : depth;
    for (int j = 0; j < count; ++j) {
      auto const [p, d1, d2] = contracted_index_of(s, k + j);
      auto const x = static_cast<scalar>(right[s.right.inner(p, d1, d2)]);
      SUMFAC_UNROLL
      for (int n = 0; n < Slices; ++n)
        if (l + n < s.left_rows) sums.value[n] += scalar(m.left(n, j)) * x;
    }
  }

  Sum s;
};

// A team for a tile of Left x Right outputs of a cell, Block x Block of them for each thread; Depth of the contraction
// at a time in scratch.
template <class Sum, int Left, int Right, int Depth, int Block>
struct tiling_contraction {
  using scalar = typename Sum::accumulator;
  // A thread's outputs lie so far apart that neighbours have neighbouring ones.
  static constexpr int left_step = Left / Block, right_step = Right / Block;
  static constexpr int threads = left_step * right_step;

  template <class Team>
  struct scratch {
    // A column more than is used keeps rows in different banks.
    typename Team::template shared<scalar, Left, Depth + 1> left;
    typename Team::template shared<scalar, Right, Depth + 1> right;

    template <class Name>
    void names(Name const& name)
    {
      name("left", left);
      name("right", right);
    }
  };

  struct block_sums {
    scalar value[Block][Block];
  };

  SUMFAC_FUNCTION index_t left_tiles() const { return (s.left_rows + Left - 1) / Left; }
  SUMFAC_FUNCTION index_t right_tiles() const { return (s.right_rows + Right - 1) / Right; }
  index_t groups() const { return s.cells * left_tiles() * right_tiles(); }

  template <class Team>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>& m, index_t group) const
  {
    index_t const r = group % right_tiles() * Right, rest = group / right_tiles();
    index_t const l = rest % left_tiles() * Left, c = rest / left_tiles();
    typename Team::template per_thread<block_sums, left_step, right_step> sum;
    team.each(box<left_step, right_step>{}, [&](int i, int j) { sum(i, j) = {}; });
    for (index_t k = 0; k < s.length(); k += Depth) {
      team.sync();
      team.phase("load tiles");
      load<Left>(team, m.left, s.left, c, l, s.left_rows, k);
      load<Right>(team, m.right, s.right, c, r, s.right_rows, k);
      team.sync();
      team.phase("multiply");
      team.each(box<left_step, right_step>{}, [&](int i, int j) {
        block_sums total = sum(i, j);
        SUMFAC_UNROLL
        for (int d = 0; d < Depth; ++d) add_products(m, total, i, j, d);
        sum(i, j) = total;
      });
    }
    team.phase("write");
    team.each(box<left_step, right_step>{}, [&](int i, int j) {
      block_sums const total = sum(i, j);
      SUMFAC_UNROLL
      for (int a = 0; a < Block; ++a) {
        SUMFAC_UNROLL
        for (int b = 0; b < Block; ++b) {
          index_t const row = l + i + a * left_step, column = r + j + b * right_step;
          if (row < s.left_rows && column < s.right_rows) put_sum(s, c, row, column, total.value[a][b]);
        }
      }
    });
  }

  template <class Scratch>
  SUMFAC_INLINE void add_products(Scratch& m, block_sums& total, int i, int j, int d) const
  {
    scalar y[Block];
    SUMFAC_UNROLL
    for (int b = 0; b < Block; ++b) y[b] = m.right(j + b * right_step, d);
    SUMFAC_UNROLL
    for (int a = 0; a < Block; ++a) {
      scalar const x = m.left(i + a * left_step, d);
      SUMFAC_UNROLL
      for (int b = 0; b < Block; ++b) total.value[a][b] += x * y[b];
    }
  }

  // Rows row .. row + Rows - 1 of a factor, Depth of each from k on; zeros behind the ends.
  template <int Rows, class Team, class Shared, class Operand>
  SUMFAC_INLINE void load(Team const& team, Shared& to, Operand const& x, index_t c, index_t row, index_t rows,
                          index_t k) const
  {
    team.each(box<Rows, Depth>{}, [&](int i, int j) {
      bool const inside = row + i < rows && k + j < s.length();
      to(i, j) = inside ? entry_at<scalar>(s, x, c, row + i, k + j) : scalar(0);
    });
  }

  Sum s;
};

// The kernel of a strategy.
template <class Sum, class Strategy>
struct strategy_kernel;
template <class Sum>
struct strategy_kernel<Sum, intrepid::flat> {
  using type = flat_contraction<Sum>;
};
template <class Sum, int Depth, int Threads>
struct strategy_kernel<Sum, intrepid::team_reduction<Depth, Threads>> {
  using type = reduction_contraction<Sum, Depth, Threads, Threads>;
};
template <class Sum, int Lanes, int Threads>
struct strategy_kernel<Sum, intrepid::shared_reduction<Lanes, Threads>> {
  using type = reduction_contraction<Sum, 3, Lanes, Threads>;
};
template <class Sum, int Slices, int Threads>
struct strategy_kernel<Sum, intrepid::slicing<Slices, Threads>> {
  using type = slicing_contraction<Sum, Slices, Threads>;
};
template <class Sum, int Left, int Right, int Depth, int Block>
struct strategy_kernel<Sum, intrepid::tiling<Left, Right, Depth, Block>> {
  using type = tiling_contraction<Sum, Left, Right, Depth, Block>;
};

template <class Backend, class Sum, class Strategy>
void launch_contraction(Backend const& backend, Sum const& sum, Strategy)
{
  typename strategy_kernel<Sum, Strategy>::type const kernel{sum};
  backend.launch(kernel, kernel.groups());
}

template <class Backend, class Sum>
void launch_contraction(Backend const& backend, Sum const& sum, intrepid::automatic)
{
  with_strategy<device_strategies>(sum, [&](auto strategy) { launch_contraction(backend, sum, strategy); });
}

}  // namespace sumfac::detail
