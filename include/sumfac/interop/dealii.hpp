// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// deal.II around an operator: cells of a DoFHandler as elements, and a matrix to its solvers. Needs deal.II (9.4).
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/interop/detail/dealii_cells.hpp>
#include <sumfac/interop/detail/dealii_parts.hpp>
#include <sumfac/mesh/mesh.hpp>

#include <deal.II/base/config.h>
#include <deal.II/base/partitioner.h>
#include <deal.II/base/subscriptor.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/mapping.h>
#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/diagonal_matrix.h>
#include <deal.II/lac/la_parallel_vector.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET::dealii {

struct cells_options {
  unsigned level = ::dealii::numbers::invalid_unsigned_int;  // of the multigrid numbers; else the active cells
  int mesh_nodes_1d = 0;  // along an edge; 0: a MappingQ's degree + 1, which has all of it
};

// The cells of a DoFHandler of FE_Q that this process has, as elements: their mesh nodes, the table of their unknowns,
// which entries are constrained, and who shares them. FESystem(FE_Q, C) is taken where unknowns of a node follow one
// another, as DoFRenumbering::support_point_wise numbers them.
//
// Nodes are numbered as in deal.II's distributed vectors: those that this process owns in their order, then its ghosts
// in theirs. Cells without ghosts come first. With constraints, those ghosts are among them that lines of the cells'
// unknowns need, as hanging nodes' on several processes do. Made by all processes at once, for the numbers that the
// DoFHandler has then; refers to its cells.
// **Shapes** mesh_nodes (E, m, m, m, spacedim), table (E, n, n, n), or one, two of these m and n.
// **Errors** argument_error, on all processes, in a diagnostic: elements other than FE_Q on Gauss-Lobatto points,
// several of them (hp), numbers that have not been distributed, a mapping whose degree is not known; MPI that has not
// been started.
template <int dim, int spacedim = dim>
class cells {
public:
  using cell_iterator = typename ::dealii::Triangulation<dim, spacedim>::cell_iterator;
  using partitioner_type = ::dealii::Utilities::MPI::Partitioner;

  cells(::dealii::Mapping<dim, spacedim> const& mapping, ::dealii::DoFHandler<dim, spacedim> const& numbers,
        cells_options const& options = {})
      : cells(mapping, numbers_type(numbers, options.level), options)
  {
  }
  template <class Number>
  cells(::dealii::Mapping<dim, spacedim> const& mapping, ::dealii::DoFHandler<dim, spacedim> const& numbers,
        ::dealii::AffineConstraints<Number> const& constraints, cells_options const& options = {})
      : cells(mapping, numbers_type(numbers, options.level, &constraints), options)
  {
  }

  index_t elements() const { return static_cast<index_t>(numbers_.cells().size()); }
  index_t nodes() const { return numbers_.nodes(); }  // owned ones and ghosts
  index_t owned() const { return numbers_.owned(); }
  int components() const { return numbers_.components(); }
  int nodes_1d() const { return numbers_.nodes_1d(); }
  cell_iterator const& cell(index_t e) const { return numbers_.cells()[static_cast<std::size_t>(e)]; }

  auto mesh_nodes() const
  {
    return mesh_view(detail::element_view<dim>(coordinates_.data(), elements(), mesh_nodes_1d_, index_t{spacedim}),
                     gauss_lobatto_nodes{});
  }
  auto table() const { return detail::element_view<dim>(numbers_.table().data(), elements(), nodes_1d()); }
  // These elements as a mesh of its own, whose function spaces have numbers of their own.
  sumfac::mesh<dim, spacedim> mesh() const { return sumfac::mesh<dim, spacedim>::copy_of(mesh_nodes(), table()); }

#if defined(DEAL_II_WITH_MPI)
  // These cells and, behind them, those of other processes behind their faces: what an interior_operator of a mesh in
  // parts is made of, on one process, too. All processes make it at once.
  // Active cells may be smaller than their neighbours, or larger.
  // **Errors** argument_error, on all processes, where a cell is periodic at a face, has other cells behind it than
  // those as large, twice or half as large along all of its edges, or, of a level, larger ones.
  mpi::mesh_with_ghosts<dim> with_ghosts() const
    requires(dim == spacedim)
  {
    constexpr auto here = "dealii::cells::with_ghosts";
    detail::first_problem text;
    for (index_t e = 0; dim > 1 && e < elements(); ++e)
      for (unsigned const f : cell(e)->face_indices())
        if (cell(e)->has_periodic_neighbor(f))
          text.say("cell %lld is periodic at face %u: faces between elements are those of neighbours alone",
                   static_cast<long long>(e), f);
        else if (numbers_.on_level() && !cell(e)->at_boundary(f) && cell(e)->neighbor_is_coarser(f))
          text.say("cell %lld has a larger cell behind face %u, which is of another level: take the active cells",
                   static_cast<long long>(e), f);
    parts().agree(here, text);
    if constexpr (dim > 1)
      if (!numbers_.on_level() && numbers_.triangulation().has_hanging_nodes())
        return {parts().communicator(), detail::cells_around<dim>(parts().communicator(), numbers_.triangulation(),
                                                                  numbers_.cells(), coordinates_, mesh_nodes_1d_)};
    struct {
      detail::dealii_parts const& of;
      std::int64_t number(index_t node) const { return of.number_of(node); }
    } const nodes{parts()};
    return {parts().communicator(), *this, nodes};
  }
#endif

  // Not 0 where constraints have a line without entries, of each node and component; what a line is equal to is not
  // looked at. And the lines with entries, as those of hanging nodes or of periodic boundaries, with these values.
  // **Shapes** (nodes C)
  // **Errors** argument_error, on all processes: an unknown that is constrained to one which is not among the nodes
  // here.
  template <class Number>
  std::vector<unsigned char> marks(::dealii::AffineConstraints<Number> const& constraints) const
  {
    return numbers_.marks(constraints);
  }
  template <class Number>
  constraints rows(::dealii::AffineConstraints<Number> const& of) const
  {
    return numbers_.rows(of);
  }

  // With these constraints, whose rows are the identity's, as deal.II's own matrix-free operators have them.
  template <class Scalar = double, class Number>
  sumfac::restriction<Scalar> restriction(host const& backend,
                                          ::dealii::AffineConstraints<Number> const& constraints) const
  {
    auto const constrained = marks(constraints);
    view<unsigned char const, dextents<2>> const of_nodes(constrained.data(), nodes(), components());
    return {backend, table(), nodes(), of_nodes, rows(constraints), {.components = components()}};
  }

  // For vectors: LinearAlgebra::distributed::Vector::reinit.
  std::shared_ptr<partitioner_type const> const& partitioner() const { return numbers_.parts().partitioner(); }
  detail::dealii_parts const& parts() const { return numbers_.parts(); }

private:
  using numbers_type = detail::cell_numbers<dim, spacedim>;

  cells(::dealii::Mapping<dim, spacedim> const& mapping, numbers_type&& numbers, cells_options const& options)
      : numbers_(std::move(numbers)),
        mesh_nodes_1d_(detail::mesh_nodes_of(numbers_.parts(), mapping, options.mesh_nodes_1d)),
        coordinates_(detail::mesh_coordinates(mapping, numbers_.cells(), mesh_nodes_1d_))
  {
  }

  numbers_type numbers_;
  int mesh_nodes_1d_;
  std::vector<double> coordinates_;
};

// Numbers a DoFHandler's unknowns anew, each process its own, as elements meet them (sumfac::node_order): restrictions
// made for these numbers move the least memory. Constraints are to be made anew, as after deal.II's DoFRenumbering.
//
// **Errors** those of cells and its marks.
template <int dim, int spacedim, class Number>
void renumber(::dealii::DoFHandler<dim, spacedim>& numbers, ::dealii::AffineConstraints<Number> const& constraints,
              unsigned level = ::dealii::numbers::invalid_unsigned_int)
{
  auto const order = detail::cell_numbers<dim, spacedim>(numbers, level).better_order(constraints);
  if (level == ::dealii::numbers::invalid_unsigned_int)
    numbers.renumber_dofs(order);
  else
    numbers.renumber_dofs(level, order);
}

struct matrix_options {
  bool symmetric = false;  // whether the form is: then Tvmult is vmult
  sumfac::overlap overlap = sumfac::overlap::both;
};

// A matrix to deal.II's solvers, smoothers and multigrid: vmult of an operator on cells, on its distributed vectors in
// the host's memory.
//
// Refers to operator, restriction and cells, which must live as long. On several processes ghosts are exchanged while
// the interior is applied, as by sumfac::distributed; what a vector keeps of ghosts is neither read nor written, and
// set to 0 in results.
// **Errors** argument_error: a restriction of other nodes, elements or components than the cells'; vectors of other
// sizes; Tvmult of a form that is not said to be symmetric; el().
template <class Operator, int dim, int spacedim = dim>
class matrix : public ::dealii::Subscriptor {
public:
  using scalar_type = typename Operator::scalar_type;
  using value_type = scalar_type;
  using size_type = ::dealii::types::global_dof_index;
  using restriction_type = sumfac::restriction<scalar_type>;
  using vector_type = ::dealii::LinearAlgebra::distributed::Vector<scalar_type>;
  static_assert(runs_on_host<typename Operator::backend_type>,
                "sumfac::dealii::matrix: the operator must be one on the host");

  matrix() = default;  // to be filled by reinit, as in an MGLevelObject
  matrix(Operator const& a, restriction_type const& r, cells<dim, spacedim> const& mesh,
         matrix_options const& options = {})
  {
    reinit(a, r, mesh, options);
  }
  matrix(Operator const&&, restriction_type const&, cells<dim, spacedim> const&, matrix_options const& = {}) = delete;
  matrix(Operator const&, restriction_type const&&, cells<dim, spacedim> const&, matrix_options const& = {}) = delete;
  matrix(Operator const&, restriction_type const&, cells<dim, spacedim> const&&, matrix_options const& = {}) = delete;

  void reinit(Operator const& a, restriction_type const& r, cells<dim, spacedim> const& mesh,
              matrix_options const& options = {})
  {
    check(a, r, mesh);
    product_ = std::make_unique<product_type>(a, r, mesh.parts(), options.overlap);
    operator_ = &a, restriction_ = &r, cells_ = &mesh, options_ = options;
    work_ = {};
  }

  size_type m() const { return filled().partitioner()->size(); }
  size_type n() const { return m(); }
  void initialize_dof_vector(vector_type& v) const { v.reinit(filled().partitioner()); }

  // v = A u
  void vmult(vector_type& v, vector_type const& u) const
  {
    check_size("u", u);
    check_size("v", v);
    product_->apply(entries(u), entries(v));
    if (v.has_ghost_elements()) v.zero_out_ghost_values();
  }
  void Tvmult(vector_type& v, vector_type const& u) const
  {
    check_symmetric();
    vmult(v, u);
  }
  // v = v + A u
  void vmult_add(vector_type& v, vector_type const& u) const
  {
    if (work_.size() != m()) initialize_dof_vector(work_);
    vmult(work_, u);
    v += work_;
  }
  void Tvmult_add(vector_type& v, vector_type const& u) const
  {
    check_symmetric();
    vmult_add(v, u);
  }

  // d = the diagonal, 1 where entries are constrained. For set-up: it allocates.
  void diagonal(vector_type& d) const
  {
    check_size("d", d);
    product_->diagonal(entries(d));
  }
  // 1 / d, as deal.II's smoothers take it, and 1 where d is 0: at nodes of no element.
  std::shared_ptr<::dealii::DiagonalMatrix<vector_type>> inverse_diagonal() const
  {
    auto result = std::make_shared<::dealii::DiagonalMatrix<vector_type>>();
    vector_type& d = result->get_vector();
    initialize_dof_vector(d);
    diagonal(d);
    for (scalar_type& x : d) x = x == scalar_type(0) ? scalar_type(1) : 1 / x;
    return result;
  }
  // There are none: deal.II's smoothers name this function, and call it where no diagonal is given.
  scalar_type el(size_type i, size_type j) const
  {
    failf("dealii::matrix", "it has no entries (row %lld, column %lld wanted): give smoothers its inverse_diagonal()",
          static_cast<long long>(i), static_cast<long long>(j));
  }

  Operator const& element_operator() const { return *operator_; }
  restriction_type const& restriction() const { return *restriction_; }

private:
  using product_type = detail::dealii_product<Operator>;

  static void check(Operator const& a, restriction_type const& r, cells<dim, spacedim> const& mesh)
  {
    detail::problem_of_cells text;
    text.unless_equal("the restriction's nodes", mesh.nodes(), r.nodes());
    text.unless_equal("the restriction's elements", mesh.elements(), r.elements());
    text.unless_equal("the operator's elements", mesh.elements(), a.elements());
    text.unless_equal("the restriction's components", mesh.components(), r.components());
    text.unless_equal("the operator's nodes per direction", mesh.nodes_1d(), Operator::nodes_1d);
    if (r.components() > 1 && r.options().components_lie != interleaving::fastest)
      text.say("components of a node lie apart (interleaving::slowest, fastest expected)");
    mesh.parts().agree("dealii::matrix", text);
  }

  cells<dim, spacedim> const& filled() const
  {
    if (cells_ == nullptr) fail("dealii::matrix", "it has no operator yet (0, 1 expected): call reinit first");
    return *cells_;
  }

  void check_size(char const* what, vector_type const& x) const
  {
    check_equal("dealii::matrix", what, owned_entries(), static_cast<index_t>(x.locally_owned_size()));
  }
  void check_symmetric() const
  {
    if (!options_.symmetric)
      fail("dealii::matrix", "the transpose is not known: where the form is symmetric, say so: {.symmetric = true}");
  }
  index_t owned_entries() const { return filled().owned() * filled().components(); }
  auto entries(vector_type& x) const { return view<scalar_type, dextents<1>>(x.begin(), owned_entries()); }
  auto entries(vector_type const& x) const { return view<scalar_type const, dextents<1>>(x.begin(), owned_entries()); }

  Operator const* operator_ = nullptr;
  restriction_type const* restriction_ = nullptr;
  cells<dim, spacedim> const* cells_ = nullptr;
  matrix_options options_;
  std::unique_ptr<product_type> product_;
  mutable vector_type work_;  // of vmult_add
};

template <class Operator, class Restriction, int dim, int spacedim>
matrix(Operator const&, Restriction const&, cells<dim, spacedim> const&, matrix_options const& = {})
    -> matrix<Operator, dim, spacedim>;

}  // namespace sumfac::dealii
