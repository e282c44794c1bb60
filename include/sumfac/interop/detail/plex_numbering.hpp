// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Numbers for the nodes of a DMPlex that is cut among processes: owned ones first, in an order that moves the least
// memory, then ghosts, and all of the mesh one process after the other.
#pragma once

#include <sumfac/dofs/node_order.hpp>
#include <sumfac/interop/detail/agree.hpp>
#include <sumfac/interop/detail/petsc_error.hpp>
#include <sumfac/interop/detail/plex_coordinates.hpp>

#include <petscdmplex.h>
#include <petscsf.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace sumfac::SUMFAC_TARGET::detail {

// Which points of a DMPlex another process owns: of each point's root process and number there, ours where it is ours.
class plex_points {
public:
  explicit plex_points(DM dm) : dm_(dm)
  {
    check_petsc(here, PetscObjectGetComm(reinterpret_cast<PetscObject>(dm), &comm_));
    rank_ = rank_in(comm_);
    PetscInt first = 0, last = 0;
    check_petsc(here, DMPlexGetChart(dm, &first, &last));
    check_petsc(here, DMGetPointSF(dm, &sf_));
    PetscInt roots = 0, leaves = 0;
    PetscInt const* points = nullptr;
    PetscSFNode const* remote = nullptr;
    check_petsc(here, PetscSFGetGraph(sf_, &roots, &leaves, &points, &remote));
    owner_.assign(at(last), rank_);
    shared_ = roots >= 0;
    for (PetscInt i = 0; i < leaves; ++i)
      owner_[at(points == nullptr ? i : points[i])] = static_cast<int>(remote[i].rank);
    PetscInt cells_first = 0, cells_last = 0;
    check_petsc(here, DMPlexGetHeightStratum(dm, 0, &cells_first, &cells_last));
    for (PetscInt cell = cells_first; cell < cells_last; ++cell) {
      DMPolytopeType type = DM_POLYTOPE_UNKNOWN;
      check_petsc(here, DMPlexGetCellType(dm, cell, &type));
      if (is_own(cell) && type != DM_POLYTOPE_FV_GHOST) cells_.push_back(cell);
    }
  }

  DM dm() const { return dm_; }
  MPI_Comm comm() const { return comm_; }
  int rank() const { return rank_; }
  std::size_t size() const { return owner_.size(); }
  static std::size_t at(PetscInt point) { return static_cast<std::size_t>(point); }
  bool is_own(PetscInt point) const { return owner_[at(point)] == rank_; }
  int owner(PetscInt point) const { return owner_[at(point)]; }
  std::vector<PetscInt> const& cells() const { return cells_; }  // those that this process has to work on
  // A PetscSF over points, or none where no process shares any.
  PetscSF sf() const { return shared_ ? sf_ : nullptr; }

  // Sums, or the greatest, over all processes that have a point, of a number for each; all get the result.
  void combine(std::vector<PetscInt>& of_points, MPI_Op operation) const
  {
    if (!shared_) return;
    std::vector<PetscInt> roots(of_points);
    check_petsc(here, PetscSFReduceBegin(sf_, MPIU_INT, of_points.data(), roots.data(), operation));
    check_petsc(here, PetscSFReduceEnd(sf_, MPIU_INT, of_points.data(), roots.data(), operation));
    of_points = roots;
    update(of_points);
  }
  // Those that others own become what they are there.
  void update(std::vector<PetscInt>& of_points) const
  {
    if (!shared_) return;
    std::vector<PetscInt> const roots(of_points);
    check_petsc(here, PetscSFBcastBegin(sf_, MPIU_INT, roots.data(), of_points.data(), MPI_REPLACE));
    check_petsc(here, PetscSFBcastEnd(sf_, MPIU_INT, roots.data(), of_points.data(), MPI_REPLACE));
  }

private:
  static constexpr auto here = "petsc::discretization";

  DM dm_;
  MPI_Comm comm_ = MPI_COMM_NULL;
  PetscSF sf_ = nullptr;
  bool shared_ = false;
  int rank_ = 0;
  std::vector<int> owner_;
  std::vector<PetscInt> cells_;
};

// The table and the numbers of the nodes of some degree.
struct plex_numbering {
  index_t owned = 0, first = 0;        // nodes of this process, which has first .. first + owned - 1 of all
  index_t all = 0;                     // nodes of the whole mesh
  std::vector<PetscInt> cells{};       // (E): the cell of each element
  std::vector<std::int32_t> table{};   // (E, n, n, n), of simplices (E, P)
  std::vector<PetscInt> point{};       // (nodes): of the DMPlex, that the node lies inside of
  std::vector<int> owner{};            // (nodes)
  std::vector<std::int64_t> number{};  // (nodes): in the whole mesh

  index_t nodes() const { return static_cast<index_t>(point.size()); }
};

class plex_numbers {
public:
  plex_numbers(plex_points const& points, cell_shape shape, int directions, int degree)
      : points_(points), shape_(shape), directions_(directions), degree_(degree)
  {
    place_nodes();
    count_nodes();
    std::vector<std::int32_t> const table = table_of_own_cells();
    order_elements(table);
    number_owned();
    number_all();
    number_ghosts();
    for (std::int32_t& node : result_.table) node = local_[static_cast<std::size_t>(node)];
  }

  plex_numbering& result() { return result_; }

private:
  static constexpr auto here = "petsc::discretization";
  static constexpr std::int32_t none = -1;

  static std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }
  std::size_t per_element() const { return nodes_of_plex_cell(shape_, directions_, degree_); }
  std::size_t box_of(lattice_place const& p) const
  {
    int const n = degree_ + 1;
    return at((p[2] * n + p[1]) * n + p[0]);
  }

  // Which of an element's nodes is at a place.
  void place_nodes()
  {
    int const n = degree_ + 1;
    node_at_.assign(at(n) * at(n) * (directions_ == 3 ? at(n) : 1), 0);
    int node = 0;
    if (shape_ == cell_shape::simplex)
      for_each_lattice_index(directions_, degree_, [&](int const* a) {
        node_at_[box_of({a[1], a[2], directions_ == 3 ? a[3] : 0})] = node++;
      });
    else
      for (int& of : node_at_) of = node++;
  }

  // Whether a process has an element with that point: files have vertices of no cell, centres of circles for one.
  std::vector<PetscInt> points_of_elements() const
  {
    std::vector<PetscInt> used(points_.size(), 0);
    for (PetscInt const cell : points_.cells()) {
      PetscInt* closure = nullptr;
      PetscInt count = 0;
      check_petsc(here, DMPlexGetTransitiveClosure(points_.dm(), cell, PETSC_TRUE, &count, &closure));
      for (PetscInt i = 0; i < count; ++i) used[points_.at(closure[2 * i])] = 1;
      check_petsc(here, DMPlexRestoreTransitiveClosure(points_.dm(), cell, PETSC_TRUE, &count, &closure));
    }
    points_.combine(used, MPI_MAX);
    return used;
  }

  // Each point's nodes follow those of the point before; these numbers are given up in the end.
  void count_nodes()
  {
    std::vector<PetscInt> const used = points_of_elements();
    std::vector<PetscInt> inside(1, 1);  // nodes inside of a point of dimension 0, 1, 2, 3
    for (int d = 0; d < 3; ++d)
      inside.push_back(shape_ == cell_shape::simplex ? inside.back() * (degree_ - 1 - d) / (d + 1)
                                                     : inside.back() * (degree_ - 1));
    begin_.assign(points_.size() + 1, 0);
    std::int64_t all = 0;
    for (int d = 0; d <= directions_; ++d) {
      PetscInt first = 0, last = 0;
      check_petsc(here, DMPlexGetDepthStratum(points_.dm(), d, &first, &last));
      for (PetscInt point = first; point < last; ++point) {
        begin_[points_.at(point) + 1] = used[points_.at(point)] * inside[at(d)];
        all += begin_[points_.at(point) + 1];
      }
    }
    first_problem text;
    constexpr auto most = std::numeric_limits<std::int32_t>::max SUMFAC_NO_MACRO();
    if (all > most)
      text.say("a process has too many nodes (%lld, at most %lld expected)", static_cast<long long>(all),
               static_cast<long long>(most));
    agree_on(points_.comm(), here, text);
    for (std::size_t p = 1; p < begin_.size(); ++p) begin_[p] += begin_[p - 1];
  }

  std::vector<std::int32_t> table_of_own_cells() const
  {
    auto const& cells = points_.cells();
    std::vector<std::int32_t> table(cells.size() * per_element(), none);
    std::int32_t* nodes = table.data();
    auto const put = [&](PetscInt point, int number, lattice_place const& p) {
      nodes[node_at_[box_of(p)]] = static_cast<std::int32_t>(begin_[points_.at(point)] + number);
    };
    plex_cell_nodes const walk(points_.dm(), shape_, directions_, degree_, put);
    for (PetscInt const cell : cells) {
      walk.visit(cell);
      nodes += per_element();
    }
    return table;
  }

  // Elements with ghosts last, as sumfac::distributed wants them.
  void order_elements(std::vector<std::int32_t> const& table)
  {
    std::vector<unsigned char> is_ghost(at(begin_.back()), 0);
    for (std::size_t p = 0; p < points_.size(); ++p)
      if (!points_.is_own(static_cast<PetscInt>(p)))
        std::fill(is_ghost.begin() + begin_[p], is_ghost.begin() + begin_[p + 1], 1);
    result_.table.reserve(table.size());
    std::size_t const nodes = per_element();
    for (bool const waits : {false, true})
      for (std::size_t e = 0; e < points_.cells().size(); ++e) {
        auto const first = table.begin() + static_cast<std::ptrdiff_t>(e * nodes);
        auto const last = first + static_cast<std::ptrdiff_t>(nodes);
        if (std::any_of(first, last, [&](std::int32_t node) { return is_ghost[at(node)] != 0; }) != waits) continue;
        result_.table.insert(result_.table.end(), first, last);
        result_.cells.push_back(points_.cells()[e]);
      }
  }

  void add(std::int32_t node, PetscInt point)
  {
    local_[at(node)] = static_cast<std::int32_t>(result_.point.size());
    result_.point.push_back(point);
  }

  // Owned nodes in the order of node_order; then those that are in elements of other processes alone.
  void number_owned()
  {
    local_.assign(at(begin_.back()), none);
    point_.resize(local_.size());
    for (std::size_t p = 0; p < points_.size(); ++p)
      std::fill(point_.begin() + begin_[p], point_.begin() + begin_[p + 1], static_cast<PetscInt>(p));
    for (std::int32_t const node : nodes_in_order())
      if (PetscInt const point = point_[at(node)]; points_.is_own(point)) add(node, point);
    for (std::size_t node = 0; node < local_.size(); ++node)
      if (PetscInt const point = point_[node]; local_[node] == none && points_.is_own(point))
        add(static_cast<std::int32_t>(node), point);
    result_.owned = result_.nodes();
  }

  // What node_order says of the elements' table, in the shape that a restriction has of it.
  std::vector<index_t> order_of(std::int32_t const* table, index_t elements, index_t nodes) const
  {
    index_t const n = degree_ + 1;
    if (shape_ == cell_shape::simplex)
      return node_order<PetscScalar>(view(table, elements, static_cast<index_t>(per_element())), nodes);
    return directions_ == 3 ? node_order<PetscScalar>(view(table, elements, n, n, n), nodes)
                            : node_order<PetscScalar>(view(table, elements, n, n), nodes);
  }
  // The elements' nodes, ghosts with them, as node_order puts them.
  std::vector<std::int32_t> nodes_in_order() const
  {
    std::vector<std::int32_t> met, place(local_.size(), none), table;
    table.reserve(result_.table.size());
    for (std::int32_t const node : result_.table) {
      if (place[at(node)] == none) {
        place[at(node)] = static_cast<std::int32_t>(met.size());
        met.push_back(node);
      }
      table.push_back(place[at(node)]);
    }
    auto const elements = static_cast<index_t>(result_.cells.size()), nodes = static_cast<index_t>(met.size());
    auto const to = order_of(table.data(), elements, nodes);
    std::vector<std::int32_t> ordered(met.size());
    for (std::size_t i = 0; i < met.size(); ++i) ordered[at(to[i])] = met[i];
    return ordered;
  }

  // Numbers in the whole mesh, those of others by the PetscSF of points.
  void number_all()
  {
    std::int64_t mine = result_.owned, first = 0;
    MPI_Exscan(&mine, &first, 1, MPI_INT64_T, MPI_SUM, points_.comm());
    if (points_.rank() == 0) first = 0;
    result_.first = first;
    result_.all = sum_of_all(points_.comm(), mine);
    global_.assign(local_.size(), none);
    for (std::size_t node = 0; node < local_.size(); ++node)
      if (local_[node] != none) global_[node] = first + local_[node];
    if (PetscSF const sf = points_.sf(); sf != nullptr) fetch_numbers(sf);
  }

  void fetch_numbers(PetscSF of_points)
  {
    std::vector<PetscInt> begin(begin_.begin(), begin_.end() - 1);
    points_.update(begin);  // where the nodes of a point begin at its owner
    PetscInt roots = 0, leaves = 0;
    PetscInt const* points = nullptr;
    PetscSFNode const* remote = nullptr;
    check_petsc(here, PetscSFGetGraph(of_points, &roots, &leaves, &points, &remote));
    std::vector<PetscInt> nodes;
    std::vector<PetscSFNode> there;
    for (PetscInt i = 0; i < leaves; ++i) {
      std::size_t const p = points_.at(points == nullptr ? i : points[i]);
      for (PetscInt a = begin_[p]; a < begin_[p + 1]; ++a) {
        nodes.push_back(a);
        there.push_back({remote[i].rank, begin[p] + a - begin_[p]});
      }
    }
    PetscSF sf = nullptr;
    check_petsc(here, PetscSFCreate(points_.comm(), &sf));
    auto const count = static_cast<PetscInt>(nodes.size());
    check_petsc(here, PetscSFSetGraph(sf, begin_.back(), count, nodes.data(), PETSC_COPY_VALUES, there.data(),
                                      PETSC_COPY_VALUES));
    std::vector<std::int64_t> const own(global_);
    check_petsc(here, PetscSFBcastBegin(sf, MPI_INT64_T, own.data(), global_.data(), MPI_REPLACE));
    check_petsc(here, PetscSFBcastEnd(sf, MPI_INT64_T, own.data(), global_.data(), MPI_REPLACE));
    check_petsc(here, PetscSFDestroy(&sf));
  }

  // Ghosts in the order of their numbers in the whole mesh, and so of their owners.
  void number_ghosts()
  {
    std::vector<std::int32_t> ghosts;
    for (std::int32_t const node : result_.table)
      if (local_[at(node)] == none) {
        local_[at(node)] = 0;
        ghosts.push_back(node);
      }
    std::sort(ghosts.begin(), ghosts.end(),
              [this](std::int32_t a, std::int32_t b) { return global_[at(a)] < global_[at(b)]; });
    result_.owner.assign(result_.point.size(), points_.rank());
    for (index_t i = 0; i < result_.owned; ++i) result_.number.push_back(result_.first + i);
    for (std::int32_t const node : ghosts) {
      result_.owner.push_back(points_.owner(point_[at(node)]));
      result_.number.push_back(global_[at(node)]);
      add(node, point_[at(node)]);
    }
  }

  plex_points const& points_;
  cell_shape shape_;
  int directions_, degree_;
  std::vector<int> node_at_{};         // (n, n, n)
  std::vector<PetscInt> begin_{};      // of each point, and one more
  std::vector<std::int32_t> local_{};  // of the nodes of all points: their numbers here
  std::vector<std::int64_t> global_{};
  std::vector<PetscInt> point_{};
  plex_numbering result_{};
};

}  // namespace sumfac::detail
