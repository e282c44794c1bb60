// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A kernel whose teams exchange by way of their scratch, launched as teams of every size.
#pragma once

#include <sumfac/backend/detail/memory.hpp>
#include <sumfac/backend/policy.hpp>
#include <sumfac/config.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace {

// Each team reverses its own row of `size` numbers by way of its scratch.
template <int Threads, int Size>
struct reversal {
  using scalar = double;
  static constexpr int threads = Threads;
  double* rows;

  template <class Team>
  struct scratch {
    typename Team::template shared<double, Size> row;
  };

  template <class Team>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>& s, sumfac::index_t group) const
  {
    typename Team::template per_thread<double, Size> mine;
    team.each(sumfac::box<Size>{}, [&](int i) { mine(i) = rows[group * Size + i]; });
    team.each(sumfac::box<Size>{}, [&](int i) { s.row(Size - 1 - i) = mine(i); });
    team.sync();
    team.each(sumfac::box<Size>{}, [&](int i) { rows[group * Size + i] = s.row(i); });
  }
};

template <int Threads, int Size, class Backend>
void reverses(Backend const& backend, sumfac::index_t groups)
{
  std::vector<double> rows(static_cast<std::size_t>(groups * Size));
  std::iota(rows.begin(), rows.end(), 1.0);
  auto expected = rows;
  for (sumfac::index_t g = 0; g < groups; ++g)
    std::reverse(expected.begin() + g * Size, expected.begin() + (g + 1) * Size);
  auto memory = sumfac::detail::make_memory<double>(backend, groups * Size);
  backend.copy(rows.data(), memory.data(), groups * Size);
  backend.synchronize();
  backend.launch(reversal<Threads, Size>{memory.data()}, groups);
  INFO(groups << " teams of " << Threads << " threads for " << Size << " items");
  auto const back = sumfac::detail::download(backend, static_cast<double const*>(memory.data()), memory.size());
  CHECK(std::vector<double>(back.begin(), back.end()) == expected);
}

template <class Backend>
void teams_of_all_sizes(Backend const& backend)
{
  for (sumfac::index_t const groups : {0, 1, 3, 4, 5, 9}) {
    reverses<8, 8>(backend, groups);
    reverses<8, 5>(backend, groups);
    reverses<8, 19>(backend, groups);
    reverses<32, 32>(backend, groups);
    reverses<32, 70>(backend, groups);
    reverses<33, 33>(backend, groups);
    reverses<40, 100>(backend, groups);
  }
}

}  // namespace
