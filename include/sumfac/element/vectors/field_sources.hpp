// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Where a team finds the nodal values of a field that is read at the call.
#pragma once

#include <sumfac/dofs/restriction.hpp>
#include <sumfac/element/vectors/footprint.hpp>
#include <sumfac/element/vectors/host_vectors.hpp>
#include <sumfac/element/vectors/team_global.hpp>
#include <sumfac/element/vectors/team_source.hpp>
#include <sumfac/element/vectors/team_vectors.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// An E-vector on the host, as operators fetch their u.
template <class Problem>
struct host_element_source {
  static constexpr int elements = 1;
  host_vectors<Problem> vectors;

  template <class Team>
  using scratch = typename host_vectors<Problem>::template scratch<Team>;

  template <class Team>
  SUMFAC_INLINE auto fetch(Team const& team, scratch<Team>& s, index_t group) const
  {
    auto const cube = vectors.fetch(team, s, group);
    return [cube](int, int c, int k, int j, int i) SUMFAC_LAMBDA { return cube(c, k, j, i); };
  }
  template <class Scratch, class Function>
  static void each_array(Scratch& s, typename Problem::sizes_type const& sizes, Function const& f)
  {
    host_vectors<Problem>::each_array(s, sizes, f);
  }
};

// A global vector on the host: whole groups as a restriction's tables have them, with copies of shared nodes that are
// the caller's; any other lane by lane, those behind the last element as it has them.
template <class Problem>
struct host_global_source {
  using number = typename Problem::number;
  using vector_number = typename Problem::vector_number;
  static constexpr int elements = 1, width = native_width<number>;
  static constexpr int n = Problem::nodes_1d, components = Problem::components;
  static constexpr bool mixed = !std::is_same_v<number, vector_number>;
  using packed = pack<number, width>;

  restriction<vector_number, host> const* r;
  vector_number const* x;
  lane_sweep<vector_number, native_width<vector_number>> lanes;

  template <class Team>
  struct scratch {
    array_of<Team, packed, Problem::entries_of_element> nodal;
    SUMFAC_NO_UNIQUE_ADDRESS typename Problem::sizes_type sizes;
  };
  template <class Scratch, class Function>
  static void each_array(Scratch& s, typename Problem::sizes_type const& sizes, Function const& f)
  {
    s.sizes = sizes;
    f(s.nodal, components * sizes.functions);
  }

  template <class Team>
  SUMFAC_INLINE auto fetch(Team const&, scratch<Team>& s, index_t group) const
  {
    if (!mixed && (group + 1) * width <= r->elements()) {
      if constexpr (!mixed) lanes.template gather<n, components, Problem::axes>(group, s.nodal.entries);
    } else {
      gather_by_lanes(s.nodal.entries, group, known_or(Problem::nodes_of_element, s.sizes.functions));
    }
    pack_cube<packed const, typename Problem::trial_side> const cube{s.nodal.entries, known_or(n, s.sizes.functions)};
    return [cube](int, int c, int k, int j, int i) SUMFAC_LAMBDA { return cube(c, k, j, i); };
  }

private:
  __attribute__((noinline)) void gather_by_lanes(packed* to, index_t group, int nodes) const
  {
    auto const& table = r->table();
    index_t const last = r->elements() - 1;
    for (int c = 0; c < components; ++c)
      for (int p = 0; p < nodes; ++p, ++to)
        for (int l = 0; l < width; ++l) {
          index_t const node = table(lesser(group * width + l, last), p);
          to->set(l, static_cast<number>(table.value(node, c, [&](index_t i, int k) { return x[r->entry_of(i, k)]; })));
        }
  }
};

// The source that a field is for teams of Elements; on the host for packs.
template <class Problem, class Backend, int Elements>
struct field_source {
  using scalar = typename Problem::vector_number;
  static constexpr bool on_host = runs_on_host<Backend>;
  static constexpr bool mixed = !std::is_same_v<typename Problem::number, scalar>;

  static auto of(element_vector<scalar const> const& u)
  {
    if constexpr (on_host) {
      return host_element_source<Problem>{{u, {}, footprint::in_memory}};
    } else {
      return team_source<strided_entries<scalar>, Problem, Elements>{{u, {}}};
    }
  }

  // `copies` is memory for what groups of elements share, which the source reads.
  static auto of(restriction<scalar, Backend> const& r, scalar const* x, [[maybe_unused]] own_vector<scalar>& copies)
  {
    if constexpr (on_host) {
      auto lanes = r.storage().lanes(x, nullptr);
      if constexpr (!mixed) {
        copy_shared(r, x, copies);
        lanes.x.slot_data = copies.data();
      }
      return host_global_source<Problem>{&r, x, lanes};
    } else {
      using entries = table_entries<scalar, Problem::nodes_1d>;
      r.refuse_rows("field", "distribute() the vector, and pass the field upon the restriction's unconstrained()");
      return team_source<entries, Problem, Elements>{{r.storage().table(), x, nullptr}};
    }
  }

private:
  // The entries of nodes that the restriction's blocks share, slot by slot; those that stand for no node read as 0.
  static void copy_shared(restriction<scalar, host> const& r, scalar const* x, own_vector<scalar>& copies)
  {
    constexpr index_t components = Problem::components;
    auto const& tables = r.storage().tables();
    bool const fastest = r.options().components_lie == interleaving::fastest;
    index_t const slot_total = tables.slot_count, step = fastest ? components : 1, stride = fastest ? 1 : slot_total;
    if (static_cast<index_t>(copies.size()) != slot_total * components)
      copies = own_vector<scalar>(static_cast<std::size_t>(slot_total * components));
    r.backend().partition(slot_total, [&](index_t first, index_t last) {
      for (index_t i = first; i < last; ++i) {
        auto const node = tables.slot_node[static_cast<std::size_t>(i)];
        for (int c = 0; c < components; ++c)
          copies[static_cast<std::size_t>(i * step + c * stride)] =
              node == tables.nobody ? scalar(0) : x[r.entry_of(node, c)];
      }
    });
    if (tables.terms.empty()) return;
    for (index_t block = 0; block < tables.blocks(); ++block)
      r.storage().load_slots(block, copies.data(), [&](index_t at) { return x[at]; });
  }
};

}  // namespace sumfac::detail
