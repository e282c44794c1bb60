// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Multigrid: a cycle over levels of falling degree, as a preconditioner.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/solver/cg_options.hpp>
#include <sumfac/solver/chebyshev.hpp>
#include <sumfac/solver/detail/amg_cycle.hpp>
#include <sumfac/solver/detail/any_null_space.hpp>
#include <sumfac/solver/detail/batches.hpp>
#include <sumfac/solver/detail/coarse_solve.hpp>
#include <sumfac/solver/detail/cycle.hpp>
#include <sumfac/solver/detail/matrix.hpp>
#include <sumfac/solver/detail/rounded_vectors.hpp>
#include <sumfac/solver/gmres_smoother.hpp>
#include <sumfac/solver/level.hpp>
#include <sumfac/solver/p_levels.hpp>

#include <utility>

namespace sumfac::SUMFAC_TARGET {

// How levels follow one another: down and up once; each coarser level twice; twice, the second time down and up once.
// The last is not symmetric: solve with cg's `flexible`.
enum class cycle { v, w, f };

// A smoother is a chebyshev, or anything with make(level), which makes of a level an object with start(b, x), which
// writes what it makes of b from x = 0, and improve(b, x), pointers to entries in the backend's memory.
template <class Smoother = chebyshev>
struct multigrid_options {
  Smoother smoother = {};
  sumfac::cycle cycle = sumfac::cycle::v;
  detail::any_null_space null_space = {};  // of a singular matrix: left out of r and z on the last level
  bool graph = true;                       // on devices: launched as one, where nothing in a cycle waits
};

// z = P r by one cycle over levels, for cg and other solvers, in whose numbers r and z are; levels may be in others.
//
// `coarse` solves on the last level: a coarse_cg, the default on the host; a coarse_chebyshev, the default on devices;
// or anything called as coarse(r, z) with views of that level's entries. Pre- and post-smoothing are the same
// polynomial and the transfers each other's transpose, so P is symmetric as far as `coarse` is. Results have the same
// bits for any number of threads. A const object has work memory: one at a time may use it, and its restrictions, and a
// second one is refused. A matrix that is not symmetric is for gmres outside, and coarse_gmres or a direct solver here:
// with coarse_gmres the smoother is gmres_smoother where none is named.
//
// On a device whose stream is not the default one a cycle becomes a graph, from its third application to the same
// vectors on, if neither smoother nor coarse solver waits: those here that wait are coarse_cg and coarse_gmres; one of
// one's own says by a member `only_queues` that it does not. A graph keeps the addresses that it was made of: after
// what moves an operator's or a restriction's memory call update().
// **Work** on each level but the last 2 degree applications and two transfers.
// **Errors** argument_error where a level's matrix is seen not to be positive definite or finite; where it is not
// symmetric, for a coarse_cg, and for a smoother that does not smooth.
template <class Levels, class Smoother = chebyshev, class Coarse = typename detail::usual_coarse<Levels>::type>
class multigrid {
public:
  explicit multigrid(Levels levels, multigrid_options<Smoother> const& options = {}, Coarse coarse = {})
      : levels_(new Levels(std::move(levels))),
        rounded_(levels_->finest().backend(), levels_->finest().size(),
                 detail::reduction_of(levels_->finest().matrix())),
        cycle_(*levels_, options.smoother, std::move(coarse), static_cast<int>(options.cycle), options.null_space),
        work_(levels_->finest().backend(), options.graph && only_queues)
  {
  }

  // z = P r
  template <class From, class To>
  void apply(From const& r, To const& z) const
  {
    constexpr auto here = "multigrid::apply";
    detail::check_vectors(here, "r", r, size(), "z", z, size());
    detail::sole_use const sole(owner_, "multigrid");
    rounded_.run(r.data(), z.data(), [this](auto const* b, auto* x) { work_.run(b, x, [&] { cycle_.start(b, x); }); });
  }

  // Takes what the finest level's operator has become, parameters of weak forms and numbers in front of a sum's parts
  // on all levels: diagonals and bounds of eigenvalues anew, in the memory there is. A level of p_levels takes
  // parameters from the operators that it was made of: A, B of p_levels<2, 1>(A, B, mesh, R), the parts of a sum, or K
  // behind a sum on E-vectors. It keeps its own in numbers of its own, other than a sum's with a mesh for each part. A
  // coarse solver of one's own, and what levels made one by one are of, are to be updated before.
  // **Work** on each level a diagonal and the applications of chebyshev's `steps`, on the last one two applications
  // more: coarse_cg and coarse_chebyshev refuse a matrix that is no longer symmetric, and with another solver there a
  // smoother is refused that no longer smooths.
  void update()
  {
    levels_->take_scales();
    work_.forget();
    cycle_.update(false);
  }
  // Takes another state of a form that reads one, as A.linearize() has been given it before, on all levels. Bounds of
  // eigenvalues follow from the last ones, as chebyshev_smoother::follow() has them.
  // **Work** on each level linearize(), a diagonal and an application, and a transfer between two. On the host, of a
  // whole mesh, nothing is allocated from the second time on, but where Lanczos' method begins anew.
  template <class Restriction, class Vector>
    requires(!detail::is_field<Vector>)
  void update(Restriction const& r, Vector const& u)
  {
    update(field(r, u));
  }
  // Of a form that reads several functions, all of them: update(field(R, u), field(R_t, t)).
  template <detail::field_like... Fields>
    requires(sizeof...(Fields) > 0)
  void update(Fields const&... fields)
  {
    levels_->take_scales();
    levels_->linearize(fields...);
    work_.forget();
    cycle_.update(true);
  }

  // What the solves on the last level came to since this was made; reports of solvers have those of a solve. A coarse
  // solver of one's own counts where it returns a solve_result.
  inner_solves const& coarse_solves() const { return cycle_.coarse_solves(); }

  // f(level, works) from the finest level to the coarsest, with the smoother or what solves there.
  template <class Function>
  void for_each_level(Function const& f) const
  {
    cycle_.for_each_level(f);
  }

  index_t size() const { return levels_->finest().size(); }
  Levels const& levels() const { return *levels_; }

private:
  using scalar = typename Levels::template level_type<0>::scalar_type;
  using backend_type = typename Levels::template level_type<0>::backend_type;
  // Exchanges between processes wait.
  static constexpr bool only_queues = detail::only_queues<Smoother> && detail::only_queues<Coarse> &&
                                      !detail::matrix_in_parts<typename Levels::template level_type<0>::matrix_type>;

  detail::own_pointer<Levels> levels_;
  detail::rounded_vectors<scalar, backend_type> rounded_;
  detail::cycle_from<0, Levels, Smoother, Coarse> cycle_;
  detail::repeated_work<backend_type> work_;
  detail::work_owner owner_;
};

template <class Levels>
multigrid(Levels, multigrid_options<gmres_smoother> const&, coarse_gmres)
    -> multigrid<Levels, gmres_smoother, coarse_gmres>;

}  // namespace sumfac
