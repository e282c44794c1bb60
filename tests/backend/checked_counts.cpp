// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What the checked backend counts, on kernels whose barriers, traffic and bank conflicts are known by hand.
#include <sumfac/backend/checked.hpp>

#include <catch2/catch.hpp>

using sumfac::box;
using sumfac::checked;
using sumfac::checked_counts;
using sumfac::checked_traffic;
using sumfac::index_t;

namespace {

// Runs one group and returns what was counted.
template <class Kernel>
checked_counts counts_of(Kernel const& kernel, index_t groups = 1)
{
  checked const backend;
  backend.launch(kernel, groups);
  return backend.counts();
}

// A square tile written by rows and read by columns, `Padding` entries between its rows.
template <class T, int Size, int Padding>
struct turn_tile {
  using scalar = T;
  static constexpr int threads = Size * Size;

  template <class Team>
  struct scratch {
    typename Team::template shared<T, Size, Size + Padding> tile;
  };

  template <class Team>
  void operator()(Team const& team, scratch<Team>& s, index_t) const
  {
    team.phase("rows");
    team.each(box<Size, Size>{}, [&](int a, int b) { s.tile(a, b) = T(1); });
    team.sync();
    team.phase("columns");
    team.each(box<Size, Size>{}, [&](int a, int b) { [[maybe_unused]] T const x = s.tile(b, a); });
  }
};

// v(j, q) = sum over i of I(q, i) u(j, i): one table along the fast direction of a square, all in scratch.
template <int Size, int Padding>
struct contract_rows {
  using scalar = double;
  static constexpr int threads = Size * Size;

  template <class Team>
  struct scratch {
    typename Team::template shared<double, Size, Size + Padding> table;
    typename Team::template shared<double, Size, Size> u;
    typename Team::template shared<double, Size, Size> v;
  };

  template <class Team>
  void operator()(Team const& team, scratch<Team>& s, index_t) const
  {
    team.phase("load");
    team.each(box<Size, Size>{}, [&](int a, int b) {
      s.table(a, b) = a + b;
      s.u(a, b) = a - b;
    });
    team.sync();
    team.phase("contract");
    team.each(box<Size, Size>{}, [&](int j, int q) {
      double sum = 0;
      for (int i = 0; i < Size; ++i) sum += s.table(q, i) * s.u(j, i);
      s.v(j, q) = sum;
    });
    team.sync();
  }
};

checked_counts phase_of(checked const& backend, std::string const& name)
{
  for (auto const& phase : backend.phases())
    if (phase.name == name) return phase.counts;
  FAIL("no phase " << name);
  return {};
}

}  // namespace

TEST_CASE("Columns of an unpadded float tile meet in one bank; a padded tile has no conflict")
{
  // 32 warps, each a row: a column of 32 rows of 32 words lies in one bank, 32 transactions.
  checked_counts const unpadded = counts_of(turn_tile<float, 32, 0>{});
  CHECK(unpadded.groups == 1);
  CHECK(unpadded.barriers == 1);
  CHECK(unpadded.scratch_bytes == 4096);
  CHECK(unpadded.writes == checked_traffic{1024, 4096, 32, 0});
  CHECK(unpadded.reads == checked_traffic{1024, 4096, 32 * 32, 32 * 31});

  checked_counts const padded = counts_of(turn_tile<float, 32, 1>{});
  CHECK(padded.scratch_bytes == 4224);
  CHECK(padded.writes == checked_traffic{1024, 4096, 32, 0});
  CHECK(padded.reads == checked_traffic{1024, 4096, 32, 0});
}

TEST_CASE("A warp's doubles take two transactions at least, each for half a warp")
{
  // 256 threads, 8 warps, 16 half-warps, each a row. Rows of 32 words: a column lies in two banks, 16 entries deep.
  checked_counts const unpadded = counts_of(turn_tile<double, 16, 0>{});
  CHECK(unpadded.writes == checked_traffic{256, 2048, 16, 0});
  CHECK(unpadded.reads == checked_traffic{256, 2048, 256, 240});

  checked_counts const padded = counts_of(turn_tile<double, 16, 1>{});
  CHECK(padded.writes == checked_traffic{256, 2048, 16, 0});
  CHECK(padded.reads == checked_traffic{256, 2048, 16, 0});
}

TEST_CASE("A contraction of 8 x 8 doubles: conflicts in the table until its rows are padded")
{
  // 64 threads, 2 warps, 4 half-warps of 2 j and 8 q. Reads: 8 of u and 8 of the table per thread. u(j, i) is 2 words
  // pairs, 16 words apart: 1 transaction. I(q, i) is 8 rows of 16 words: they fall on banks 0 and 16, 4 deep.
  int const requests = 4 * 8;
  checked const backend;
  backend.launch(contract_rows<8, 0>{}, 1);
  checked_counts const contract = phase_of(backend, "contract");
  CHECK(contract.reads == checked_traffic{1024, 8192, requests + 4 * requests, 3 * requests});
  CHECK(contract.writes == checked_traffic{64, 512, 4, 0});
  CHECK(contract.barriers == 1);
  checked_counts const load = phase_of(backend, "load");
  CHECK(load.reads == checked_traffic{});
  CHECK(load.writes == checked_traffic{128, 1024, 8, 0});
  CHECK(load.barriers == 1);
  CHECK(backend.counts().scratch_bytes == 3 * 512);

  // Rows of 18 words: 8 pairs of banks, all different.
  checked_counts const padded = counts_of(contract_rows<8, 1>{});
  CHECK(padded.reads == checked_traffic{1024, 8192, 2 * requests, 0});
  CHECK(padded.barriers == 2);

  // Two rows of a half-warp's writes to a padded table: words 0-15 and 18-33, so banks 0 and 1 twice.
  CHECK(padded.writes == checked_traffic{192, 1536, 4 * (2 + 1 + 1), 4});
}

TEST_CASE("A contraction of 16 x 16 doubles needs its padding most")
{
  // 16 half-warps, each one j and all q, 16 steps: I(q, i) is 16 rows of 32 words, u(j, i) one entry.
  int const requests = 16 * 16;
  CHECK(counts_of(contract_rows<16, 0>{}).reads == checked_traffic{8192, 65536, 17 * requests, 15 * requests});
  CHECK(counts_of(contract_rows<16, 1>{}).reads == checked_traffic{8192, 65536, 2 * requests, 0});
}

TEST_CASE("Counts of several groups and launches add up, phases by name")
{
  checked const backend;
  backend.launch(contract_rows<8, 0>{}, 3);
  checked const same_record = backend;
  same_record.launch(turn_tile<float, 32, 0>{}, 2);
  checked_counts const sum = backend.counts();
  CHECK(sum.groups == 5);
  CHECK(sum.elements == 5);
  CHECK(sum.barriers == 3 * 2 + 2);
  CHECK(sum.reads.entries == 3 * 1024 + 2 * 1024);
  CHECK(sum.writes.bytes == 3 * 1536 + 2 * 4096);
  CHECK(sum.scratch_bytes == 4096);
  CHECK(phase_of(backend, "load").writes.entries == 3 * 128);
  CHECK(phase_of(backend, "rows").barriers == 2);
  backend.clear();
  CHECK(backend.counts() == checked_counts{});
  CHECK(backend.phases().empty());
}

namespace {

// Eight threads of one warp read, then 32 read: the first reads of the other 24 threads come a step later.
struct two_boxes {
  using scalar = float;
  static constexpr int threads = 32;
  static constexpr int elements = 4;

  template <class Team>
  struct scratch {
    typename Team::template shared<float, 64> row;
  };

  template <class Team>
  void operator()(Team const& team, scratch<Team>& s, index_t) const
  {
    team.each(box<64>{}, [&](int i) { s.row(i) = 0; });  // strided: two writes of each thread, in two steps
    team.sync();
    team.each(box<8>{}, [&](int i) { [[maybe_unused]] float const x = s.row(i + 8); });
    team.each(box<32>{}, [&](int i) { [[maybe_unused]] float const x = s.row(i + 32); });
  }
};

// Half a warp reads one array, half the next.
template <int Size>
struct two_arrays {
  using scalar = float;
  static constexpr int threads = 32;

  template <class Team>
  struct scratch {
    typename Team::template shared<float, Size> a;
    typename Team::template shared<float, 16> b;
  };

  template <class Team>
  void operator()(Team const& team, scratch<Team>& s, index_t) const
  {
    team.each(box<Size>{}, [&](int i) { s.a(i) = 0; });
    team.each(box<16>{}, [&](int i) { s.b(i) = 0; });
    team.sync();
    team.each(box<2, 16>{}, [&](int which, int i) { [[maybe_unused]] float const x = which ? s.b(i) : s.a(i); });
  }
};

// A struct of doubles travels in as many pieces, one aligned to 16 bytes in pieces of two.
struct triple {
  double x, y, z;
};
struct alignas(16) twin {
  double x, y;
};
struct pair {
  double x, y;
};

template <class T>
struct copy_structs {
  using scalar = double;
  static constexpr int threads = 32;

  template <class Team>
  struct scratch {
    typename Team::template shared<char, 5> before;  // the next array starts at its own alignment
    typename Team::template shared<T, 32> row;
  };

  template <class Team>
  void operator()(Team const& team, scratch<Team>& s, index_t) const
  {
    team.each(box<32>{}, [&](int i) { s.row(i) = T{}; });
    team.sync();
    team.each(box<32>{}, [&](int) { [[maybe_unused]] T const x = s.row(3); });
  }
};

}  // namespace

TEST_CASE("Accesses are simultaneous within one item of one each(), not across")
{
  // Taken by number alone, row(8 + i) of the first 8 threads would meet row(40..) of the others in banks 8-15.
  checked_counts const counts = counts_of(two_boxes{});
  CHECK(counts.writes == checked_traffic{64, 256, 2, 0});
  CHECK(counts.reads == checked_traffic{40, 160, 2, 0});
  CHECK(counts.elements == 4);
}

TEST_CASE("Arrays of a scratch struct share the banks by their place in it")
{
  CHECK(counts_of(two_arrays<16>{}).reads == checked_traffic{32, 128, 1, 0});
  CHECK(counts_of(two_arrays<32>{}).reads == checked_traffic{32, 128, 2, 1});
}

TEST_CASE("Structures travel in pieces of their alignment")
{
  // 24-byte strides: 16 lanes fall on 16 different even banks, for each of 3 pieces and 2 half-warps.
  checked_counts const triples = counts_of(copy_structs<triple>{});
  CHECK(triples.writes == checked_traffic{32, 768, 6, 0});
  CHECK(triples.reads == checked_traffic{32, 768, 6, 0});
  CHECK(triples.scratch_bytes == 8 + 768);

  checked_counts const twins = counts_of(copy_structs<twin>{});
  CHECK(twins.writes == checked_traffic{32, 512, 4, 0});
  CHECK(twins.scratch_bytes == 16 + 512);

  // 16-byte strides in pieces of 8: 16 lanes fall on 8 pairs of banks, twice each.
  checked_counts const pairs = counts_of(copy_structs<pair>{});
  CHECK(pairs.writes == checked_traffic{32, 512, 8, 4});
}

TEST_CASE("Threads within one word are served together")
{
  sumfac::detail::warp_access all;
  for (int lane = 0; lane < 32; ++lane) all.add(lane, static_cast<std::uint32_t>(lane));
  checked_traffic sum;
  sumfac::detail::add_transactions(all, sumfac::detail::transfer_of(1, 1), sum);
  CHECK(sum.transactions == 1);
  CHECK(sum.conflicts == 0);

  // Lanes 0 and 31 alone, doubles: one transaction each, since they are in different halves.
  sumfac::detail::warp_access ends;
  ends.add(0, 0);
  ends.add(31, 256);
  sum = {};
  sumfac::detail::add_transactions(ends, sumfac::detail::transfer_of(8, 8), sum);
  CHECK(sum.transactions == 2);
  CHECK(sum.conflicts == 0);
}
