// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Several processes by MPI: a halo of persistent messages for global_operator, and a main function that ends them.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/interop/detail/agree.hpp>
#include <sumfac/interop/detail/elements_behind.hpp>
#include <sumfac/interop/detail/packed_nodes.hpp>
#include <sumfac/interop/detail/shared_nodes.hpp>
#include <sumfac/mesh/locator.hpp>
#include <sumfac/operator/global_operator.hpp>

#include <mpi.h>
#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <type_traits>
#include <vector>

namespace sumfac::SUMFAC_TARGET::mpi {

template <class Scalar, class Backend>
class node_exchange;

// The nodes that a process has in common with others, found from owners and numbers: of each node of this process, the
// owned ones first, the process that owns it, and its number in the whole mesh, the same wherever the node is.
//
// Made by all processes of the communicator at once, of which it has a duplicate.
// **Shapes** owner (nodes), number (nodes): views of integers.
// **Errors** argument_error, on all processes, with both numbers: an owner that is no process, an owned node behind a
// ghost, a number that two nodes have, one that its owner does not own, one that two processes own.
class halo {
public:
  template <class Scalar, class Backend>
  using exchange = node_exchange<Scalar, Backend>;

  template <class Owners, class Numbers>
  halo(MPI_Comm comm, Owners const& owner, Numbers const& number) : nodes_((check_started(), comm), owner, number)
  {
    MPI_Comm_dup(comm, &comm_);
  }
  halo(MPI_Comm comm, numbered_nodes const& nodes) : halo(comm, nodes.owners(), nodes.numbers()) {}
  // The halo of some of these nodes, or of what each has so many of, in their order: chosen (nodes each) is not 0 where
  // one is, on its owner, too.
  template <class Chosen>
  halo subset(Chosen const& chosen, int each = 1) const
  {
    return {comm_, chosen_of(chosen, each)};
  }
  // For subdomains with overlap: see halo_with_elements.
  template <class Table>
  numbered_nodes elements_behind(Table const& table) const
  {
    return detail::nodes_behind(comm_, "mpi::halo::elements_behind", table, nodes_);
  }
  halo with_ghosts(numbered_nodes const& more) const { return {comm_, joined_with(more)}; }
  halo(halo const&) = delete;
  halo& operator=(halo const&) = delete;
  ~halo()
  {
    if (!detail::is_mpi_ended()) MPI_Comm_free(&comm_);
  }

  index_t owned() const { return nodes_.owned(); }
  index_t ghosts() const { return nodes_.ghosts(); }
  std::int64_t number(index_t node) const { return nodes_.number(node); }  // in the whole mesh
  MPI_Comm communicator() const { return comm_; }
  int neighbors() const { return static_cast<int>(nodes_.sent.ranks.size()); }  // that have ghosts of this process'

  // For vector_ops and solvers; refers to the halo.
  sumfac::reduction reduction() const { return detail::reduction_over(comm_); }
  // Called by all processes: where one of them has a problem, all throw argument_error with it.
  void agree(char const* where, char const* problem) const { detail::agree_on(comm_, where, problem); }

  detail::shared_nodes const& nodes() const { return nodes_; }

protected:
  template <class Chosen>
  numbered_nodes chosen_of(Chosen const& chosen, int each) const
  {
    numbered_nodes all;
    for (index_t i = 0; i < (owned() + ghosts()) * each; ++i)
      if (chosen(i) != 0) all.add(nodes_.owner(i / each), nodes_.number(i / each) * each + i % each);
    return all;
  }
  numbered_nodes joined_with(numbered_nodes const& more) const
  {
    numbered_nodes all;
    for (index_t node = 0; node < owned() + ghosts(); ++node) all.add(nodes_.owner(node), nodes_.number(node));
    for (index_t i = 0; i < more.count(); ++i) all.add(more.owners()(i), more.numbers()(i));
    return all;
  }

private:
  static void check_started()
  {
    if (!detail::is_mpi_started()) fail("mpi::halo", "MPI is not started: call MPI_Init first, or sumfac::mpi::run");
  }

  detail::shared_nodes nodes_;
  MPI_Comm comm_ = MPI_COMM_NULL;
};

// An exchange of vectors of one scalar, by persistent messages between buffers of its own; made by the matrix. One at
// a time may be under way. Contributions are added in the order of processes.
//
// A device's entries are handed to MPI where it says that it takes them, and else copied through the host's memory.
template <class Scalar, class Backend>
class node_exchange {
public:
  node_exchange(halo const& nodes, Backend const& backend, int components, interleaving lie)
      : backend_(backend),
        components_(components),
        direct_(takes_device_memory()),
        shared_(backend, nodes.nodes().sent, nodes.owned(), components, lie, on_device && !direct_),
        ghosts_(backend, nodes.nodes().received, nodes.ghosts(), components, interleaving::fastest,
                on_device && !direct_)
  {
    start_with(nodes.communicator(), nodes.nodes());
  }
  node_exchange(node_exchange const&) = delete;
  node_exchange& operator=(node_exchange const&) = delete;
  ~node_exchange()
  {
    if (detail::is_mpi_ended()) return;
    for (auto* list : {&update_, &add_})
      for (MPI_Request& request : *list) MPI_Request_free(&request);
  }

  void begin_update(Scalar const* x, Scalar*) { begin(update_, shared_, x); }
  void end_update(Scalar const*, Scalar* ghosts)
  {
    end(update_, ghosts_);
    ghosts_.put(backend_, ghosts);
  }
  void begin_add(Scalar const* ghosts, Scalar*) { begin(add_, ghosts_, ghosts); }
  void end_add(Scalar const*, Scalar* y)
  {
    end(add_, shared_);
    shared_.add(backend_, y);
  }
  // Lets messages that are under way go on, which some MPI does only when called.
  void progress()
  {
    int done = 0;
    if (!update_.empty()) MPI_Testall(static_cast<int>(update_.size()), update_.data(), &done, MPI_STATUSES_IGNORE);
    if (!add_.empty()) MPI_Testall(static_cast<int>(add_.size()), add_.data(), &done, MPI_STATUSES_IGNORE);
  }

private:
  static constexpr bool on_device = detail::is_device<Backend>;

  using packed_nodes = detail::packed_nodes<Scalar, Backend>;

  // What MPI sends or receives of them.
  Scalar* message(packed_nodes& nodes) const { return on_device && !direct_ ? nodes.staged() : nodes.data(); }

  // Whether MPI takes pointers to a device's memory.
  static bool takes_device_memory()
  {
#if defined(MPIX_CUDA_AWARE_SUPPORT) && MPIX_CUDA_AWARE_SUPPORT
    if constexpr (on_device) {
      static bool const takes = MPIX_Query_cuda_support() == 1;
      return takes;
    }
#endif
    return false;
  }

  void start_with(MPI_Comm comm, detail::shared_nodes const& nodes)
  {
    constexpr int updates = 1, sums = 2;  // tags
    detail::agree_on_counts(comm, "mpi::halo", shared_.size(), ghosts_.size());
    Scalar* const shared = message(shared_);
    Scalar* const ghosts = message(ghosts_);
    detail::for_each_neighbor(nodes.received, components_, [&](int rank, index_t first, int count) {
      MPI_Recv_init(ghosts + first, count, type(), rank, updates, comm, add_to(update_));
      MPI_Send_init(ghosts + first, count, type(), rank, sums, comm, add_to(add_));
    });
    detail::for_each_neighbor(nodes.sent, components_, [&](int rank, index_t first, int count) {
      MPI_Send_init(shared + first, count, type(), rank, updates, comm, add_to(update_));
      MPI_Recv_init(shared + first, count, type(), rank, sums, comm, add_to(add_));
    });
  }

  static MPI_Request* add_to(std::vector<MPI_Request>& list) { return &list.emplace_back(MPI_REQUEST_NULL); }
  static MPI_Datatype type() { return detail::mpi_type<Scalar>(); }

  void begin(std::vector<MPI_Request>& requests, packed_nodes& from, Scalar const* entries)
  {
    from.take(backend_, entries);
    if constexpr (on_device) {
      if (!direct_ && from.size() > 0) backend_.copy(from.data(), from.staged(), from.size());
      backend_.synchronize();
    }
    if (!requests.empty()) MPI_Startall(static_cast<int>(requests.size()), requests.data());
  }
  void end(std::vector<MPI_Request>& requests, packed_nodes& to)
  {
    if (!requests.empty()) MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    if constexpr (on_device)
      if (!direct_ && to.size() > 0) backend_.copy(to.staged(), to.data(), to.size());
  }

  Backend backend_;
  int components_;
  bool direct_;
  packed_nodes shared_, ghosts_;
  std::vector<MPI_Request> update_, add_;
};

// A process' elements of a mesh and, behind them, ghosts: the elements of others behind its sides, found by the numbers
// of their nodes. What an interior_operator of a mesh in parts is made of. All processes make it at once.
//
// **Shapes** nodes (E, m, m, m, 3), or (E, m, m, 2), beyond m = 3 a mesh_view, and table (E, n, n, n), or (E, n, n), of
// own elements; the table has the numbers of nodes in the whole mesh, of any degree, by which sides are told apart and
// turned as in interior_faces(); number (E), that of each element in the whole mesh. All processes have one m and one
// n, which may be 0 where there are no elements.
// **Errors** argument_error, on all processes: those of interior_faces(), faces of three elements among them; extents.
template <int Directions>
class mesh_with_ghosts {
public:
  template <class Nodes, class Table, class Numbers>
  mesh_with_ghosts(MPI_Comm comm, Nodes const& nodes, Table const& table, Numbers const& number)
      : m_(nodes.extent(1)), owned_(nodes.extent(0)), pairs_(find(comm, nodes, table, number))
  {
    make_halo(comm);
  }

  // Of what has mesh_nodes() and the table() of a process' nodes, as petsc::discretization, and the halo of these,
  // which has number(node), that in the whole mesh. Elements are numbered from one process to the next.
  template <class Cells, class Halo>
  mesh_with_ghosts(MPI_Comm comm, Cells const& of, Halo const& nodes)
      : mesh_with_ghosts(of.mesh_nodes(), numbered_cells(comm, of.table(), nodes))
  {
  }
  // Of a space_part, whose mesh all processes have whole: it may hang. Elements have its numbers.
  template <class Part, class Halo>
    requires detail::has_whole_mesh<Part>
  mesh_with_ghosts(MPI_Comm comm, Part const& of, Halo const&) : mesh_with_ghosts(comm, detail::whole_mesh_of<Part>{of})
  {
  }
  // Of a mesh that has own elements and what lies behind them, as deal.II's cells make one.
  template <class Around>
    requires detail::knows_elements_behind<Around>
  mesh_with_ghosts(MPI_Comm comm, Around const& around)
      : m_(around.mesh().nodes_1d()), owned_(around.elements()), pairs_(find_around(comm, around))
  {
    make_halo(comm);
  }

  index_t owned() const { return owned_; }  // elements of this process
  index_t ghosts() const { return pairs_.elements() - owned_; }
  std::int64_t number(index_t e) const { return elements_.numbers()(e); }  // in the whole mesh
  // Of own elements and ghosts, as the operator takes them.
  auto nodes() const
  {
    return mesh_view(detail::element_view<Directions>(xyz_.data(), pairs_.elements(), m_, index_t{Directions}), set_);
  }
  face_pairs const& pairs() const { return pairs_; }
  mpi::halo const& halo() const { return *halo_; }

private:
  // A table and elements in numbers of the whole mesh.
  struct numbered_cells {
    template <class Table, class Halo>
    numbered_cells(MPI_Comm on, Table const& local, Halo const& nodes) : comm(on), n(local.extent(1))
    {
      std::int64_t own = local.extent(0), all = 0;
      MPI_Scan(&own, &all, 1, MPI_INT64_T, MPI_SUM, comm);
      for (index_t e = 0; e < own; ++e) {
        number.push_back(all - own + e);
        detail::for_each_place<Directions>(static_cast<int>(n), [&](int k, int j, int i) {
          table.push_back(nodes.number(static_cast<index_t>(detail::entry_at<Directions>(local, e, k, j, i))));
        });
      }
    }
    index_t elements() const { return static_cast<index_t>(number.size()); }

    MPI_Comm comm;
    index_t n;
    std::vector<std::int64_t> table, number;
  };
  template <class Nodes>
  mesh_with_ghosts(Nodes const& nodes, numbered_cells const& of)
      : mesh_with_ghosts(of.comm, nodes, detail::element_view<Directions>(of.table.data(), of.elements(), of.n),
                         view<std::int64_t const, dextents<1>>(of.number.data(), of.elements()))
  {
  }

  void make_halo(MPI_Comm comm) { halo_ = detail::own_pointer<mpi::halo const>(new mpi::halo(comm, elements_)); }

  template <class Around>
  face_pairs find_around(MPI_Comm comm, Around const& around)
  {
    constexpr auto here = "mpi::mesh_with_ghosts";
    auto const& mesh = around.mesh();
    face_pairs found(0, Directions);
    detail::agree_on_check(detail::all_of{comm}, here, [&] {
      check_equal(here, "number of coordinates", Directions, mesh.extent(Directions + 1));
      set_ = kept_nodes(static_cast<int>(m_), mesh.node_set());
      face_pairs const all = mesh.interior_faces();
      std::vector<index_t> chosen;  // own elements and ghosts
      for (index_t i = 0; i < owned_; ++i) chosen.push_back(around.element(i));
      for (auto const& ghost : detail::elements_behind(around, all)) chosen.push_back(ghost.element);
      for (index_t const e : chosen) {
        elements_.add(around.process(e), around.number(e));
        detail::for_each_place<Directions>(static_cast<int>(m_), [&](int k, int j, int i) {
          for (int c = 0; c < Directions; ++c) xyz_.push_back(detail::entry_at<Directions>(mesh, e, k, j, i, c));
        });
      }
      found = all.only(chosen);
    });
    return found;
  }

  template <class Nodes, class Table, class Numbers>
  face_pairs find(MPI_Comm comm, Nodes const& said, Table const& table, Numbers const& number)
  {
    constexpr auto here = "mpi::mesh_with_ghosts";
    constexpr bool fits =
        is_view<Nodes> && int{Nodes::rank()} == Directions + 2 && int{Table::rank()} == Directions + 1;
    static_assert(fits,
                  "sumfac::mpi::mesh_with_ghosts<D>: nodes and table are sumfac::views of shape (E, m, m, m, 3) "
                  "and (E, n, n, n), or (E, m, m, 2) and (E, n, n)");
    int const rank = detail::rank_in(comm);
    auto const nodes = detail::plain_nodes(said);
    index_t n = table.extent(1);
    detail::agree_on_check(detail::all_of{comm}, here, [&] {
      check_equal(here, "number of elements of the table", owned_, table.extent(0));
      check_equal(here, "number of elements' numbers", owned_, number.extent(0));
      check_equal(here, "number of coordinates", Directions, nodes.extent(Directions + 1));
    });
    // Of all processes the most nodes along an edge, and the fewest, but for views of extent 0, which say nothing.
    constexpr long long none = std::numeric_limits<int>::max SUMFAC_NO_MACRO();
    long long sizes[4] = {m_, n, m_ > 0 ? -m_ : -none, n > 0 ? -n : -none};
    MPI_Allreduce(MPI_IN_PLACE, sizes, 4, MPI_LONG_LONG, MPI_MAX, comm);
    if (sizes[0] > -sizes[2] || sizes[1] > -sizes[3])
      failf(here,
            "processes have other numbers of nodes along an edge (mesh nodes %lld to %lld, table %lld to %lld): pass "
            "views of one shape on all, also of no elements",
            -sizes[2], sizes[0], -sizes[3], sizes[1]);
    m_ = sizes[0], n = sizes[1];
    detail::agree_on_check(detail::all_of{comm}, here, [&] {
      for (int d = 1; owned_ > 0 && d <= Directions; ++d) {
        check_equal(here, "number of mesh nodes along an edge", m_, nodes.extent(d));
        check_equal(here, "number of the table's nodes along an edge", n, table.extent(d));
      }
      set_ = kept_nodes(static_cast<int>(m_), detail::said_nodes(here, said, unsaid_nodes{}, m_));
    });
    std::vector<std::int64_t> rows;
    for (index_t e = 0; e < owned_; ++e) {
      elements_.add(rank, static_cast<std::int64_t>(number(e)));
      detail::for_each_place<Directions>(static_cast<int>(n), [&](int k, int j, int i) {
        rows.push_back(static_cast<std::int64_t>(detail::entry_at<Directions>(table, e, k, j, i)));
      });
      detail::for_each_place<Directions>(static_cast<int>(m_), [&](int k, int j, int i) {
        for (int c = 0; c < Directions; ++c) xyz_.push_back(detail::entry_at<Directions>(nodes, e, k, j, i, c));
      });
    }
    auto const of_row = detail::node_box(static_cast<int>(n), Directions).all();
    auto const of_xyz = detail::node_box(static_cast<int>(m_), Directions).all() * Directions;
    auto const ghosts = detail::elements_behind(comm, here, detail::places_of_nodes<Directions>(rows, owned_, n));
    auto const got = detail::fetch_elements(comm, ghosts, [&](index_t e, std::vector<std::int64_t>& list) {
      list.push_back(this->number(e));
      list.insert(list.end(), rows.begin() + e * of_row, rows.begin() + (e + 1) * of_row);
      for (index_t i = 0; i < of_xyz; ++i)
        list.push_back(std::bit_cast<std::int64_t>(xyz_[static_cast<std::size_t>(e * of_xyz + i)]));
    });
    auto next = got.begin();
    for (auto const& of : ghosts) {
      elements_.add(static_cast<int>(of.rank), *next++);
      rows.insert(rows.end(), next, next + of_row);
      next += of_row;
      for (index_t i = 0; i < of_xyz; ++i) xyz_.push_back(std::bit_cast<double>(*next++));
    }
    detail::places_of_nodes<Directions> const all(rows, elements_.count(), n);
    face_pairs found(0, Directions);
    detail::agree_on_check(detail::all_of{comm}, here, [&] { found = interior_faces(all.table(), all.nodes()); });
    return found;
  }

  index_t m_, owned_;
  kept_nodes set_;
  numbered_nodes elements_;  // of their halo
  std::vector<double> xyz_;
  face_pairs pairs_;
  detail::own_pointer<mpi::halo const> halo_;
};

// Of the points that each process has sought in its own elements, those that it owns: a point that several have found,
// as on a cut between them, belongs to the lowest rank. So each point is in one element of the whole mesh, and its
// source counts once. All processes call it, for the same points in the same order; others' points are misses().
//
// **Work** one reduction of as many integers as there are points.
// **Errors** argument_error, on all processes, with both numbers, where these have different numbers of points.
template <int Directions, cell_shape Shape>
located_points<Directions, Shape> owned_points(MPI_Comm comm, located_points<Directions, Shape> const& found)
{
  constexpr auto here = "mpi::owned_points";
  auto const mine = static_cast<long long>(found.size());
  long long first = mine;
  MPI_Bcast(&first, 1, MPI_LONG_LONG, 0, comm);
  detail::first_problem problem;
  if (mine != first)
    problem.say(
        "the number of points is not that of process 0 (expected %lld, got %lld): pass all points on all "
        "processes",
        first, mine);
  detail::agree_on(comm, here, problem);
  int const rank = detail::rank_in(comm);
  constexpr int none = std::numeric_limits<int>::max SUMFAC_NO_MACRO();
  std::vector<int> owner(static_cast<std::size_t>(mine));
  for (index_t i = 0; i < mine; ++i) owner[static_cast<std::size_t>(i)] = found.elements()(i) < 0 ? none : rank;
  detail::combine_all(comm, MPI_MIN, owner.data(), owner.size());
  return found.only([&](index_t i) { return owner[static_cast<std::size_t>(i)] == rank ? 1 : 0; });
}

// Starts MPI, calls body(MPI_COMM_WORLD), ends MPI and returns what body did, as the status of main. An exception that
// leaves body is written to stderr, and all processes end.
template <class Body>
int run(int& argc, char**& argv, Body const& body)
{
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  int status = 1;
  try {
    status = body(MPI_COMM_WORLD);
  } catch (std::exception const& e) {
    detail::end_all(e.what());
  } catch (...) {
    detail::end_all("an exception that is no std::exception");
  }
  MPI_Finalize();
  return status;
}

}  // namespace sumfac::mpi
