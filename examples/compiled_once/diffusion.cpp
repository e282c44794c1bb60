// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The solver's operators, and the only file that includes sumfac.
#include "diffusion.hpp"

#include <sumfac/dofs/restriction.hpp>
#include <sumfac/operator/bake_off.hpp>
#include <sumfac/operator/global_operator.hpp>
#include <sumfac/solver/cg.hpp>
#include <sumfac/solver/preconditioner.hpp>

#include <cstddef>

// [source]
template <int Degree>
struct diffusion<Degree>::parts {
  explicit parts(brick_mesh const& mesh)
      : elements(static_cast<int>(mesh.vertices.size() / 24)),
        A{backend, sumfac::view(mesh.vertices.data(), elements, 2, 2, 2, 3)},
        R{backend, sumfac::view(mesh.table.data(), elements, Degree + 1, Degree + 1, Degree + 1),
          static_cast<int>(mesh.fixed.size()), sumfac::view(mesh.fixed.data(), static_cast<int>(mesh.fixed.size()))}
  {}
  std::vector<double> diagonal() const
  {
    std::vector<double> d(static_cast<std::size_t>(L.size()));
    L.diagonal(d);
    return d;
  }

  int elements;
  sumfac::host backend;
  sumfac::bp3<Degree> A;
  sumfac::restriction<> R;
  sumfac::global_operator<sumfac::bp3<Degree>, sumfac::restriction<>> L{A, R};
  sumfac::jacobi<double> P{backend, diagonal()};
};

template <int Degree>
diffusion<Degree>::diffusion(brick_mesh const& mesh) : parts_(std::make_unique<parts>(mesh))
{}
template <int Degree>
diffusion<Degree>::~diffusion() = default;
template <int Degree>
int diffusion<Degree>::solve(std::vector<double> const& b, std::vector<double>& u) const
{
  return static_cast<int>(sumfac::cg(parts_->L, b, u, parts_->P).iterations);
}

template class diffusion<2>;
template class diffusion<3>;
// [source]
