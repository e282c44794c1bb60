// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Additive Schwarz by fast diagonalization: the modes of all subdomains, a kernel to them and back, and its sweep.
#pragma once

#include <sumfac/dofs/restriction.hpp>
#include <sumfac/dofs/restriction/device_nodes.hpp>
#include <sumfac/element/kernel/launch_groups.hpp>
#include <sumfac/solver/detail/passes.hpp>
#include <sumfac/solver/vector_ops.hpp>

#include <cstddef>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// Where the modes of an element, or of a group of elements side by side, lie: a table (n, n), node and mode, for each
// direction, and as many times n eigenvalues, along x, y and z; those of x with what the subdomain has of mass.
template <int Nodes1d, int Directions>
struct mode_places {
  static constexpr int size = Directions * Nodes1d * (Nodes1d + 1);
  SUMFAC_INLINE static constexpr int table(int direction) { return direction * Nodes1d * Nodes1d; }
  SUMFAC_INLINE static constexpr int values(int direction)
  {
    return Directions * Nodes1d * Nodes1d + direction * Nodes1d;
  }
};

// Modes in memory, a subdomain's in each lane, as contract() takes tables.
template <class T, int Size, int Directions>
struct modes_in_memory {
  using places = mode_places<Size, Directions>;
  using number = scalar_of<T>;
  static constexpr int width = width_of<T>;
  number const* first;

  // From modes to nodes, or its transpose.
  template <bool ToNodes>
  struct table {
    static constexpr int rows = Size, cols = Size, parity = 0;
    struct entries {
      number const* first;
      SUMFAC_INLINE T operator()(int r, int c) const
      {
        return load<T>(first + (ToNodes ? r * Size + c : c * Size + r) * width);
      }
    };
    entries full;
  };

  SUMFAC_INLINE table<true> nodes(int direction) const { return {{first + places::table(direction) * width}}; }
  SUMFAC_INLINE table<false> modes(int direction) const { return {{first + places::table(direction) * width}}; }
  SUMFAC_INLINE T value(int direction, int mode) const
  {
    return load<T>(first + (places::values(direction) + mode) * width);
  }

  // A line along the last direction, of modes i and j of x and y, or as many as come before it: to modes, divided, and
  // back, each entry to the sink.
  template <class Sink>
  SUMFAC_INLINE void divide(pencil<T, Size> const& line, [[maybe_unused]] int j, [[maybe_unused]] int i,
                            Sink sink) const
  {
    constexpr int last = Directions - 1;
    T across{};
    if constexpr (last == 2)
      across = value(0, i) + value(1, j);
    else if constexpr (last == 1)
      across = value(0, i);
    pencil<T, Size> u;
    contract(modes(last), line, [&](int m, T x) SUMFAC_LAMBDA { u[m] = x / (across + value(last, m)); });
    contract(nodes(last), u, sink);
  }
};

// Which places of a subdomain are beside an edge or a corner of the element, where there is no node: those that are
// outside of it along two directions or three.
template <int Nodes1d, int Overlap, int Directions>
struct subdomain_places {
  static constexpr node_box box{Nodes1d, Directions};

  // Along a direction on which there are `size` places: of one that the element has not, there is nothing outside.
  SUMFAC_INLINE static constexpr int outside(int i, int size = Nodes1d)
  {
    return size > 1 && (i < Overlap || i >= Nodes1d - Overlap) ? 1 : 0;
  }
  SUMFAC_INLINE static constexpr bool is_none(int k, int j, int i)
  {
    return outside(k, box.z) + outside(j, box.y) + outside(i) > 1;
  }

  // u = 0 there
  template <class T>
  static void clear(T* u)
  {
    if constexpr (Overlap > 0 && Directions > 1)
      for (int k = 0; k < box.z; ++k)
        for (int j = 0; j < box.y; ++j, u += Nodes1d) {
          int const beside = outside(k, box.z) + outside(j, box.y);
          if (beside == 1) u[0] = u[Nodes1d - 1] = T{};
          for (int i = 0; i < Nodes1d && beside == 2; ++i) u[i] = T{};
        }
  }
};

// The modes of a host's group, which all elements of its team have.
template <class Modes>
struct same_modes {
  Modes modes;

  SUMFAC_INLINE Modes const& operator()(int) const { return modes; }
};

// S^-1 on the nodes of subdomains, one component of Elements: modes(e) are those of a team's element. `u` holds what is
// between, and may be `from` and `to`. A barrier follows each axis but the last.
// **Shapes** (n, n, n), or (n, n), (n).
template <int Size, int Directions, int Elements = 1, class Team, class Modes, class From, class Between, class To>
SUMFAC_INLINE void solve_subdomains(Team const& team, Modes const& modes, From&& from, [[maybe_unused]] Between&& u,
                                    To&& to)
{
  using T = typename Team::scalar;
  constexpr axis last = Directions == 3 ? axis::z : Directions == 2 ? axis::y : axis::x;
  constexpr node_box nodes{Size, Directions};
  auto const divide = [&](auto& given, auto& solved) SUMFAC_LAMBDA {
    team.phase("division");
    team.each(box < Elements, Directions == 3 ? Size : 1, Directions >= 2 ? Size : 1 > {}, [&](int e, int a, int b) {
      modes(e).divide(read_line<last, T, Size>(given, e, 0, a, b), a, b, write_line<last, T>(solved, e, 0, a, b));
    });
  };
  if constexpr (Directions == 1) {
    divide(from, to);
  } else {
    in_planes<nodes.z>(team, [&](auto planes, auto at) SUMFAC_LAMBDA {
      auto&& plane = at(u);
      team.phase("to modes of x");
      sweep<axis::x>(
          team, box<Elements, 1, planes.value, Size>{},
          [&](int e, int, int, int) SUMFAC_LAMBDA { return modes(e).modes(0); }, at(from), plane);
      team.sync();
      if constexpr (Directions == 3) {
        team.phase("to modes of y");
        sweep<axis::y>(
            team, box<Elements, 1, planes.value, Size>{},
            [&](int e, int, int, int) SUMFAC_LAMBDA { return modes(e).modes(1); }, plane, plane);
        team.sync();
      }
    });
    divide(u, u);
    team.sync();
    in_planes<nodes.z>(team, [&](auto planes, auto at) SUMFAC_LAMBDA {
      auto&& plane = at(u);
      if constexpr (Directions == 3) {
        team.phase("to nodes along y");
        sweep<axis::y>(
            team, box<Elements, 1, planes.value, Size>{},
            [&](int e, int, int, int) SUMFAC_LAMBDA { return modes(e).nodes(1); }, plane, plane);
        team.sync();
      }
      team.phase("to nodes along x");
      sweep<axis::x>(
          team, box<Elements, 1, planes.value, Size>{},
          [&](int e, int, int, int) SUMFAC_LAMBDA { return modes(e).nodes(0); }, plane, at(to));
    });
  }
}

// y += R^T S^-1 R x of all subdomains on devices; a component at a time, a thread a line of nodes.
template <class Scalar, int Nodes1d, int Overlap, int Directions>
struct schwarz_kernel {
  using scalar = Scalar;
  static constexpr int n = Nodes1d;
  static constexpr node_box nodes{n, Directions};
  static constexpr int lines = nodes.rows();
  static constexpr int elements = lines >= 64 ? 1 : (64 + lines - 1) / lines;
  static constexpr int threads = elements * lines;

  device_table<Scalar> table;
  Scalar const* modes;  // (E, tracked, size)
  Scalar const* x;
  Scalar* y;
  int components, tracked;

  template <class Team>
  struct scratch {
    struct nothing {};  // a thread has all nodes of a line
    using cubes = typename Team::template shared<Scalar, elements, 1, nodes.z, nodes.y, n>;
    SUMFAC_NO_UNIQUE_ADDRESS std::conditional_t<Directions == 1, nothing, cubes> between;
  };

  template <class Team>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>& s, index_t group) const
  {
    index_t const first = group * elements;
    for (int component = 0; component < components; ++component) {
      // Of element e of a group; behind the last one, its.
      auto const modes_of = [&](int e) SUMFAC_LAMBDA -> modes_in_memory<Scalar, n, Directions> {
        index_t const element = first + e, last = table.elements - 1;
        index_t const known = element < last ? element : last;
        return {modes + (known * tracked + (tracked > 1 ? component : 0)) * mode_places<n, Directions>::size};
      };
      device_nodes<Scalar, n, subdomain_places<n, Overlap, Directions>> const global{table, x, y, first, component};
      solve_subdomains<n, Directions, elements>(team, modes_of, global, s.between, global);
      if constexpr (Directions > 1) team.sync();
    }
  }
};

// Modes in the backend's memory, in numbers of Scalar; Nodes1d are those of a subdomain.
template <class Scalar, class Backend, int Nodes1d, int Overlap, int Directions, int Components>
class schwarz_sweep {
public:
  static constexpr int width = runs_on_host<Backend> ? native_width<Scalar> : 1;

  // `tracked` components have modes of their own: one, or all.
  template <class Modes>
  void set(Backend const& backend, index_t elements, Modes const& modes, int tracked)
  {
    tracked_ = tracked;
    index_t const groups = (elements + width - 1) / width;
    index_t const numbers = groups * width * tracked * mode_places<Nodes1d, Directions>::size;
    if constexpr (is_device<Backend>) {
      own_vector<Scalar> made(static_cast<std::size_t>(numbers));
      modes.template write<Scalar, width>(host_of(backend), tracked, made.data());
      modes_ = upload<Scalar>(backend, made);
    } else {
      modes_ = make_memory<Scalar>(backend, numbers);
      modes.template write<Scalar, width>(host_of(backend), tracked, modes_.data());
    }
  }

  // y = the sums over subdomains, then the body; or, by sweep_mode::add and without a body, y + these sums. The
  // restriction is to the subdomains' nodes, of some of the elements.
  template <class... Body>
  void run(restriction<Scalar, Backend> const& r, Scalar const* x, Scalar* y, sweep_mode mode,
           pass_runner<Backend> const& passes, Body const&... body) const
  {
    auto const& storage = r.storage();
    auto const rows = mode == sweep_mode::write ? row_action::zero : row_action::none;
    if constexpr (runs_on_host<Backend>) {
      auto const lanes = storage.lanes(x, y);
      storage.sweep(
          x, y, mode, rows, [&](index_t const* group, index_t const* last, auto const&) { solve(lanes, group, last); },
          hooked_pass<Body>{body, x, y}...);
    } else {
      using kernel = schwarz_kernel<Scalar, Nodes1d, Overlap, Directions>;
      kernel const k{storage.table(mode), modes_.data(), x, y, Components, tracked_};
      storage.sweep(kernel::elements, nullptr, y, mode, rows, kernel_launcher(r.backend(), k));
      (passes.run(r.size(), body), ...);
    }
  }

private:
  template <class Lanes>
  void solve(Lanes const& lanes, index_t const* group, index_t const* last) const
  {
    using subdomain = subdomain_places<Nodes1d, Overlap, Directions>;
    using team = host::team<schwarz_kernel<Scalar, Nodes1d, Overlap, Directions>>;
    using packed = typename team::scalar;
    constexpr index_t nodes = subdomain::box.all(), numbers = mode_places<Nodes1d, Directions>::size;
    auto* const u = static_cast<packed*>(thread_scratch(static_cast<std::size_t>(Components * nodes) * sizeof(packed)));
    for (; group != last; ++group) {
      lanes.template gather<Nodes1d, Components, Directions>(*group, u);
      for (int c = 0; c < Components; ++c) {
        index_t const at = *group * tracked_ + (tracked_ > 1 ? c : 0);
        using modes_type = modes_in_memory<packed, Nodes1d, Directions>;
        modes_type const modes{modes_.data() + at * numbers * packed::width};
        numbers_in_cube<Nodes1d, packed> const own{u + c * nodes};
        subdomain::clear(own.first);
        solve_subdomains<Nodes1d, Directions>(team{}, same_modes<modes_type>{modes}, own, own, own);
        subdomain::clear(own.first);
      }
      lanes.template add<Nodes1d, Components, Directions>(*group, u);
    }
  }

  int tracked_ = 1;
  memory_of<Scalar, Backend> modes_;
};

// z = weights * z, and r where there is no subdomain.
template <class Number>
struct schwarz_end {
  using scalar = Number;
  static constexpr int sums = 0;
  Number const* weights;  // null where they are 1
  Number const* alone;    // null where it is 0
  Number const* r;
  Number* z;
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&)[most_sums]) const
  {
    T x = times(weights, i, load<T>(z + i));
    if (alone != nullptr) x = fma(load<T>(alone + i), load<T>(r + i), x);
    store(x, z + i);
  }
};

// What entries of r and z are multiplied by, and where z is r over the rows' number.
template <class Scalar, class Backend>
struct schwarz_factors {
  memory_of<Scalar, Backend> before, after;  // weights, empty where they are 1
  memory_of<Scalar, Backend> alone;          // not 0 at entries of no subdomain, empty where there are none
  memory_of<Scalar, Backend> work;           // room for r times weights

  // count(entry) is how many subdomains have one. `weights` is that of sumfac::schwarz_weights, `rows` what the matrix
  // has at entries of none.
  template <class Weights, class Count>
  void set(Backend const& backend, index_t size, Weights weights, constrained_rows const& rows, Count const& count)
  {
    Scalar const alone_there = rows == constrained_rows::zero ? Scalar(1) : static_cast<Scalar>(1 / rows.value);
    own_vector<Scalar> share(static_cast<std::size_t>(size), Scalar(1)), lone = share;
    bool any = false;
    for (index_t i = 0; i < size; ++i) {
      double const met = count(i), part = met > 1 ? 1 / met : 1;
      lone[static_cast<std::size_t>(i)] = met > 0 ? Scalar(0) : alone_there;
      any = any || !(met > 0);
      share[static_cast<std::size_t>(i)] =
          static_cast<Scalar>(weights == Weights::symmetric ? __builtin_sqrt(part) : part);
    }
    if (any) alone = upload<Scalar>(backend, lone);
    if (weights == Weights::before || weights == Weights::symmetric) {
      before = upload<Scalar>(backend, share);
      work = make_memory<Scalar>(backend, size);
    }
    if (weights == Weights::after || weights == Weights::symmetric) after = upload<Scalar>(backend, share);
  }

  // r times the weights, where it has some.
  Scalar const* weighted(pass_runner<Backend> const& passes, index_t size, Scalar const* r)
  {
    if (before.size() == 0) return r;
    passes.run(size, multiply_body<Scalar>{before.data(), r, work.data()});
    return work.data();
  }
  schwarz_end<Scalar> end(Scalar const* r, Scalar* z) const { return {after.data(), alone.data(), r, z}; }
};

}  // namespace sumfac::detail
