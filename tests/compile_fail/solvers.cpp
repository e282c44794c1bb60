// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Solvers, their matrices and preconditioners.
#include "support/fits.hpp"

#include <sumfac/operator/bake_off.hpp>
#include <sumfac/operator/global_operator.hpp>
#include <sumfac/solver/cg.hpp>
#include <sumfac/solver/merged_cg.hpp>
#include <sumfac/solver/preconditioner.hpp>
#include <sumfac/solver/vector_ops.hpp>
#include <sumfac/sumfac.hpp>
#include <sumfac/tools/tune.hpp>

#include <utility>
#include <vector>

// A matrix of one's own whose apply() does not take views, or is not const.
// expect: sumfac::solver: A must have apply(x, y) const, for views of rank 1 and layout_right of x's scalar type
namespace cg_operator_of_pointers {
using vector_view = sumfac::view<double, sumfac::dextents<1>>;

struct matrix {
#if defined(SUMFAC_FITS)
  void apply(sumfac::view<double const, sumfac::dextents<1>> const&, vector_view const&) const;
#else
  void apply(double const*, double*) const;
#endif
  sumfac::index_t size() const;
  sumfac::host backend() const;
};

void solve(matrix const& A, vector_view b, vector_view x) { sumfac::cg(A, b, x); }
}  // namespace cg_operator_of_pointers

// An operator without a restriction, vectors that are no views or of another scalar, an array for a preconditioner, and
// a preconditioner behind the options.
// expect: sumfac::solver: A must have apply(x, y) const, for views of rank 1 and layout_right of x's scalar type
// expect: sumfac::solver: b and x must be sumfac::view of the workspace's scalar type, or arrays of it
// expect: sumfac::solver: b and x must have entries of A's scalar type
// expect: sumfac::solver: the preconditioner must be sumfac::no_preconditioner, a sumfac::jacobi of b's scalar
// expect: sumfac::solver: behind the options stands a monitor, which is called with (iteration, residual)
// errors: 5
namespace cg_wrong_arguments {
using operator_type = sumfac::bp35<1>;
using matrix = sumfac::global_operator<operator_type, sumfac::restriction<double>>;
template <class T>
using vector_view = sumfac::view<T, sumfac::dextents<1>>;

#if defined(SUMFAC_FITS)
void solve(matrix const& L, vector_view<double> x)
{
  sumfac::cg(L, x, x, {}, sumfac::cg_options());
  sumfac::cg(L, x, x, sumfac::cg_options());
}
#else
void solve(operator_type const& A, matrix const& L, vector_view<double> x, vector_view<float> of_float,
           std::vector<double> const& array)
{
  sumfac::cg(A, x, x);
  sumfac::cg(L, array, array);
  sumfac::cg(L, of_float, of_float);
  sumfac::cg(L, x, x, array);
  sumfac::cg(L, x, x, sumfac::cg_options(), sumfac::no_preconditioner{});
}
#endif
}  // namespace cg_wrong_arguments

// The restriction before the operator.
// expect: sumfac::global_operator: the element operator comes first, the restriction second
namespace global_operator_swapped {
void refused(sumfac::bp35<2> const& A, sumfac::restriction<double> const& R)
{
#if defined(SUMFAC_FITS)
  sumfac::global_operator const matrix{A, R};
#else
  sumfac::global_operator const matrix{R, A};
#endif
  static_cast<void>(matrix.size());
}
}  // namespace global_operator_swapped

// A matrix that would refer to an operator which is gone at the end of the line.
// expect: sumfac::global_operator: it refers to operator, restriction and halo, so none may be a temporary
// errors: 1
namespace global_operator_temporary {
using operator_type = sumfac::bp35<2>;

void refused(operator_type& A, sumfac::restriction<double> const& R)
{
#if defined(SUMFAC_FITS)
  sumfac::global_operator const matrix{A, R};
#else
  sumfac::global_operator const matrix{std::move(A), R};
#endif
  static_cast<void>(matrix.size());
}
}  // namespace global_operator_temporary

// A matrix of one's own, which has no sweep over elements.
// expect: sumfac::merged_cg: A must be a sumfac::global_operator{A, R}
// errors: 1
namespace merged_cg_own_matrix {
using entries = sumfac::view<double, sumfac::dextents<1>>;

struct twice {
  void apply(sumfac::view<double const, sumfac::dextents<1>> x, entries y) const;
  sumfac::index_t size() const;
  sumfac::host backend() const;
};

void solve(twice const& A, entries x)
{
#if defined(SUMFAC_FITS)
  sumfac::cg(A, x, x);
#else
  sumfac::merged_cg(A, x, x);
#endif
}
}  // namespace merged_cg_own_matrix

// A sum of which a part says that it is not symmetric.
// expect: sumfac::solver: A says `symmetric = false`, and this solver is for symmetric matrices alone
// errors: 1
namespace cg_of_transport {
struct transport : sumfac::mass {
  static constexpr bool symmetric = false;
};
using entries = std::vector<double>;

void solve(sumfac::element_operator<sumfac::mass, 1> const& M, sumfac::element_operator<transport, 1> const& C,
           sumfac::restriction<> const& R, entries const& b, entries& x)
{
  sumfac::sum const A{sumfac::part{M, R}, sumfac::part{C, R}};
#if defined(SUMFAC_FITS)
  sumfac::gmres(A, b, x);
#else
  sumfac::cg(A, b, x);
#endif
}
}  // namespace cg_of_transport

// Parts that refer to a temporary, an operator and a halo, and a number for one that has none.
// expect: sumfac::part: it refers to operator, restriction and halo, so none may be a temporary
// expect: sumfac::sum: the part is not multiplied by a number that could change: write 1.0 * part{A, R}
// errors: 3
namespace sum_of_temporaries {
using mass = sumfac::element_operator<sumfac::mass, 1>;
struct halo {
  void agree(char const*, char const*) const {}
};

void set(sumfac::host const& backend, sumfac::mesh<3> const& mesh, sumfac::restriction<> const& R)
{
#if defined(SUMFAC_FITS)
  mass const M{backend, mesh};
  halo const shared;
  sumfac::part const p{M, R, shared};
  sumfac::sum A{1.0 * sumfac::part{M, R}};
  A.set_scale<0>(2);
#else
  mass const N{backend, mesh};
  sumfac::part const p{mass{backend, mesh}, R};
  sumfac::part const q{N, R, halo()};
  sumfac::sum A{sumfac::part{N, R}};
  A.set_scale<0>(2);
#endif
}
}  // namespace sum_of_temporaries

// A sum by kind that would end with the line, in another, and a part of a space with its halo.
// expect: sumfac::sum: A + B refers to the operators that A and B have, so no sum_by_kind in it may be a temporary
// expect: sumfac::sum_by_kind: it refers to the halo of the space's part, so that may be no temporary
// errors: 2
namespace sums_by_kind_of_temporaries {
using made = sumfac::kinds_sum<sumfac::whole, sumfac::element_operator<sumfac::mass, sumfac::quadrilateral(1)>>;
struct part {
  using mesh_type = sumfac::mixed_mesh<2>;
  int halo() const { return 0; }
};

template <class Sum>
void add(sumfac::host const& backend, made const& A, Sum&& B)
{
#if defined(SUMFAC_FITS)
  static_cast<void>(A + B);
  static_cast<void>(backend);
#else
  static_cast<void>(A + std::forward<Sum>(B));
  sumfac::sum_by_kind<1>(backend, part(), sumfac::mass());
#endif
}
void add(sumfac::host const& backend, made const& A, made&& B) { add<made>(backend, A, std::move(B)); }
}  // namespace sums_by_kind_of_temporaries

// Operators in the place of parts, of which none adds to E-vectors; a temporary.
// expect: sumfac::sum: of operators themselves it is on E-vectors, sum{K, F}: an element_operator, then
// expect: sumfac::sum: it refers to its operators, so none may be a temporary
// errors: 2
namespace sum_of_operators {
using mass = sumfac::element_operator<sumfac::mass, 1>;

void make(sumfac::host const& backend, sumfac::mesh<3> const& mesh, sumfac::restriction<> const& R)
{
  mass const M{backend, mesh};
#if defined(SUMFAC_FITS)
  sumfac::sum const A{sumfac::part{M, R}, sumfac::part{M, R}};
#else
  sumfac::sum const A{M, M};
  sumfac::sum const B{mass{backend, mesh}};
#endif
}
}  // namespace sum_of_operators

// An operator between elements with a restriction.
// expect: sumfac::part: an interior_operator has no restriction, for its functions are E-vectors, discontinuous
// expect: sumfac::global_operator: an interior_operator has no restriction, for its functions are E-vectors
// errors: 2
namespace restriction_of_faces {
using penalty =
    decltype(sumfac::weak::integrate_faces(sumfac::weak::jump(sumfac::weak::u) * sumfac::weak::jump(sumfac::weak::v)));
using faces =
    fitting<sumfac::element_operator<sumfac::mass, 1>, sumfac::interior_operator<std::remove_const_t<penalty>, 1>>;

void make(faces const& F, sumfac::restriction<> const& R)
{
  sumfac::part const p{F, R};
  sumfac::global_operator const A{F, R};
}
}  // namespace restriction_of_faces

// Operators in parts that would refer to a halo which is gone at the end of the line.
// expect: sumfac::global_operator: it refers to operator, restriction and halo, so none may be a temporary
// expect: sumfac::interior_operator: it refers to the halo, which may not be a temporary: give it a name
// errors: 3
namespace halo_temporary {
// Of one process, without ghosts.
struct alone {
  template <class Scalar, class Backend>
  struct exchange {
    exchange(alone const&, Backend const&, int, sumfac::interleaving) {}
    void begin_update(Scalar const*, Scalar*) {}
    void end_update(Scalar const*, Scalar*) {}
    void begin_add(Scalar const*, Scalar*) {}
    void end_add(Scalar const*, Scalar*) {}
    void progress() {}
  };
  sumfac::index_t owned() const { return 0; }
  sumfac::index_t ghosts() const { return 0; }
  sumfac::reduction reduction() const { return {}; }
  void agree(char const*, char const*) const {}
  long long number(sumfac::index_t e) const { return e; }
  alone subset(sumfac::view<unsigned char const, sumfac::dextents<1>>, int = 1) const { return {}; }
};

#if defined(SUMFAC_FITS)
alone const& halo();
#else
alone halo();
#endif
using penalty = std::remove_const_t<decltype(sumfac::weak::integrate_faces(sumfac::weak::jump(sumfac::weak::u) *
                                                                           sumfac::weak::jump(sumfac::weak::v)))>;
using faces = sumfac::interior_operator<penalty, 1, alone>;

void make(sumfac::bp35<2> const& A, sumfac::restriction<> const& R, sumfac::mesh<3> const& box,
          sumfac::face_pairs const& pairs)
{
  sumfac::global_operator const L{A, R, halo()};
  faces const of_mesh{sumfac::host{}, box, halo()};
  faces const of_nodes{sumfac::host{}, box.nodes(), pairs, halo()};
  static_cast<void>(L.size());
}
}  // namespace halo_temporary

// The same of a mesh with more of the user's own.
// expect: sumfac::interior_operator: it refers to the halo, which may not be a temporary: give it a name
// errors: 1
namespace halo_temporary_of_own_mesh {
struct named : sumfac::mesh<3> {
  char const* name;
};

void make(named const& box) { static_cast<void>(halo_temporary::faces{sumfac::host{}, box, halo_temporary::halo()}); }
}  // namespace halo_temporary_of_own_mesh

// A block of a mesh in parts beside a coupling without halos.
// expect: sumfac::block_operator: a block is of a mesh in parts, and another is not: give halos to all, to couplings
// errors: 1
namespace blocks_in_parts {
using element_operator = sumfac::element_operator<sumfac::mass, 1>;
using whole = sumfac::global_operator<element_operator, sumfac::restriction<>>;
struct part : whole {
  using whole::whole;
  sumfac::reduction reduction() const;
};
using matrix = fitting<whole, part>;

void make(matrix const& A, sumfac::coupling<element_operator, sumfac::restriction<>> const& B)
{
  sumfac::block_operator const S{A, B};
}
}  // namespace blocks_in_parts

// A block in parts that ends with the line.
// expect: sumfac::block_operator: it refers to the blocks of a mesh in parts, so none may be a temporary
// errors: 1
namespace blocks_that_end {
struct part {
  using scalar_type = double;
  using backend_type = sumfac::host;
  using arithmetic_type = double;
  part();
#if !defined(SUMFAC_FITS)
  part(part const&) = delete;
#endif
  void apply(sumfac::vector_argument<double const>, sumfac::vector_argument<double>) const;
  sumfac::index_t size() const;
  sumfac::host const& backend() const;
};
using element_operator = sumfac::element_operator<sumfac::mass, 1>;

void make(sumfac::coupling<element_operator, sumfac::restriction<>> const& B)
{
  sumfac::block_operator const S{part(), B};
}
}  // namespace blocks_that_end

// A coupling that would refer to a restriction of test functions which is gone at the end of the line.
// expect: sumfac::coupling: it refers to operator, restrictions and halos, so none may be a temporary
// errors: 1
namespace coupling_test_temporary {
using restriction_type = sumfac::restriction<>;
#if defined(SUMFAC_FITS)
restriction_type const& of_others();
#else
restriction_type of_others();
#endif

void make(sumfac::element_operator<sumfac::mass, 1> const& B, restriction_type const& R)
{
  sumfac::coupling const b{B, of_others(), R};
  static_cast<void>(b.rows());
}
}  // namespace coupling_test_temporary

// A coupling that would refer to a restriction of trial functions which is gone at the end of the line.
// expect: sumfac::coupling: it refers to operator, restrictions and halos, so none may be a temporary
// errors: 1
namespace coupling_trial_temporary {
using restriction_type = sumfac::restriction<>;
#if defined(SUMFAC_FITS)
restriction_type const& of_others();
#else
restriction_type of_others();
#endif

void make(sumfac::element_operator<sumfac::mass, 1> const& B, restriction_type const& R)
{
  sumfac::coupling const b{B, R, of_others()};
  static_cast<void>(b.rows());
}
}  // namespace coupling_trial_temporary

// A coupling that would refer to the first halo which is gone at the end of the line.
// expect: sumfac::coupling: it refers to operator, restrictions and halos, so none may be a temporary
// errors: 1
namespace coupling_test_halo_temporary {
void make(sumfac::element_operator<sumfac::mass, 1> const& B, sumfac::restriction<> const& R,
          halo_temporary::alone const& halo)
{
  sumfac::coupling const b{B, R, R, halo_temporary::halo(), halo};
  static_cast<void>(b.rows());
}
}  // namespace coupling_test_halo_temporary

// A coupling that would refer to the second halo which is gone at the end of the line.
// expect: sumfac::coupling: it refers to operator, restrictions and halos, so none may be a temporary
// errors: 1
namespace coupling_trial_halo_temporary {
void make(sumfac::element_operator<sumfac::mass, 1> const& B, sumfac::restriction<> const& R,
          halo_temporary::alone const& halo)
{
  sumfac::coupling const b{B, R, R, halo, halo_temporary::halo()};
  static_cast<void>(b.rows());
}
}  // namespace coupling_trial_halo_temporary

// A preconditioner of one's own, which cannot be merged with the sweep.
// expect: sumfac::merged_cg: only factors are merged with the sweep, no_preconditioner or sumfac::jacobi
// errors: 1
namespace merged_cg_own_preconditioner {
using entries = sumfac::view<double, sumfac::dextents<1>>;
using matrix = sumfac::global_operator<sumfac::bp35<1>, sumfac::restriction<double>>;

struct half {
  void apply(sumfac::view<double const, sumfac::dextents<1>> r, entries z) const;
};

void solve(matrix const& A, entries b, entries x)
{
#if defined(SUMFAC_FITS)
  sumfac::cg(A, b, x, half{});
#else
  sumfac::merged_cg(A, b, x, half{});
#endif
}
}  // namespace merged_cg_own_preconditioner

// A merged solve with an operator that was chosen at run time, as a whole.
// expect: sumfac::merged_cg: A must be of a sumfac::element_operator
// errors: 1
namespace merged_cg_tuned {
using entries = sumfac::view<double, sumfac::dextents<1>>;

void solve(sumfac::tuned_operator<sumfac::bp35<1>> const& A, sumfac::restriction<double> const& R, entries x)
{
#if defined(SUMFAC_FITS)
  A.visit([&](auto const& chosen) { sumfac::merged_cg(sumfac::global_operator{chosen, R}, x, x); });
#else
  sumfac::merged_cg(sumfac::global_operator{A, R}, x, x);
#endif
}
}  // namespace merged_cg_tuned

// Arrays of other numbers in place of views, and a result that cannot be written.
// expect: sumfac::vector_ops: vectors must be sumfac::view of the operations' scalar type
// expect: sumfac::vector_ops: the result is a view of const: nothing can be written
// expect: sumfac::jacobi: the diagonal must be a sumfac::view of the solver's scalar type
// errors: 3
namespace solver_no_views {
using in = sumfac::view<double const, sumfac::dextents<1>>;
using out = sumfac::view<double, sumfac::dextents<1>>;

using array = fitting<out, std::vector<float>>;
using result = fitting<out, in>;

double combine(sumfac::vector_ops<> const& operations, in x, result y, array const& z)
{
  operations.axpy(2, x, y);
  return operations.dot(x, z);
}
sumfac::jacobi<> make(array const& d) { return {sumfac::host(), d}; }
}  // namespace solver_no_views
