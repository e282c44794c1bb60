// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A kernel of one's own: it transposes 8 x 8 blocks through scratch, watched by `checked` before it sees a device.
#include <sumfac/sumfac.hpp>

#include <cstdio>
#include <vector>

// [kernel]
struct transposition {
  static constexpr int n = 8, threads = n * n;

  template <class Team>
  struct scratch {
    typename Team::template shared<double, n, n + 1> block;  // a padded row: columns fall into different banks
  };

  double const* from;
  double* to;

  template <class Team>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>& s, sumfac::index_t group) const
  {
    team.phase("read rows");
    team.each(sumfac::box<n, n>{}, [&](int r, int c) { s.block(r, c) = from[(group * n + r) * n + c]; });
    team.sync();
    team.phase("write columns");
    team.each(sumfac::box<n, n>{}, [&](int r, int c) { to[(group * n + r) * n + c] = s.block(c, r); });
  }
};
// [kernel]

int main()
{
  std::vector<double> a(3 * 64), b(a.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    a[i] = static_cast<double>(i);
  // [watch]
  sumfac::checked const backend;
  backend.launch(transposition{a.data(), b.data()}, 3);
  auto const counts = backend.counts();
  std::printf("%d groups, %d barriers, %d conflicts\n", static_cast<int>(counts.groups),
              static_cast<int>(counts.barriers), static_cast<int>(counts.reads.conflicts + counts.writes.conflicts));
  // [watch]
  return b[1] == 8 && b[64 + 9] == 64 + 9 ? 0 : 1;
}
