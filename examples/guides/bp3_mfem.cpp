// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// BP3 by MFEM, and by sumfac of MFEM's mesh, numbers and essential boundary conditions; needs MFEM (4.9).
#include "bent_cube.hpp"

#include <mfem.hpp>

namespace {

constexpr int N = 4, n = N + 1;

struct problem {
  // [mesh]
  mfem::Mesh mesh = mfem::Mesh::MakeCartesian3D(3, 2, 2, mfem::Element::HEXAHEDRON);
  mfem::H1_FECollection elements{N, 3};                    // nodes at Gauss-Lobatto points
  mfem::Array<int> fixed;                                  // the whole boundary
  // [mesh]

  problem()
  {
    // [curved]
    mesh.SetCurvature(2);                                  // mesh nodes of degree 2
    mesh.Transform([](mfem::Vector const& from, mfem::Vector& to) {
      to = from;
      bend(to.GetData());
    });
    // [curved]
  }
};

void by_mfem(problem& p, mfem::FiniteElementSpace& space, mfem::Vector const& x, mfem::Vector& y)
{
  // [theirs]
  mfem::BilinearForm form(&space);
  form.SetAssemblyLevel(mfem::AssemblyLevel::PARTIAL);
  mfem::IntegrationRule const& rule = mfem::IntRules.Get(mfem::Geometry::CUBE, 2 * N + 3);  // N + 2 Gauss points
  form.AddDomainIntegrator(new mfem::DiffusionIntegrator(&rule));
  form.Assemble();
  mfem::OperatorHandle A;
  space.GetBoundaryTrueDofs(p.fixed);
  form.FormSystemMatrix(p.fixed, A);                       // rows of fixed entries are the identity's
  A->Mult(x, y);
  // [theirs]
}

void by_sumfac(problem& p, mfem::FiniteElementSpace& space, mfem::Vector const& x, mfem::Vector& y)
{
  // [ours]
  auto const order = mfem::ElementDofOrdering::LEXICOGRAPHIC;
  auto const* numbers = dynamic_cast<mfem::ElementRestriction const*>(space.GetElementRestriction(order));
  sumfac::view const table(numbers->GatherMap().HostRead(), space.GetNE(), n, n, n);
  std::vector<char> marks(static_cast<std::size_t>(space.GetTrueVSize()));
  for (int const entry : p.fixed) marks[static_cast<std::size_t>(entry)] = 1;

  mfem::GridFunction const& places = *p.mesh.GetNodes();
  mfem::Operator const* to_elements = places.FESpace()->GetElementRestriction(order);
  mfem::Vector blocks(to_elements->Height());
  to_elements->Mult(places, blocks);                       // (E, 3, m, m, m), x fastest
  int const m = places.FESpace()->GetMaxElementOrder() + 1;  // at Gauss-Lobatto points
  using shape = sumfac::dextents<5>;
  sumfac::layout_stride::mapping<shape> const by_component(shape(space.GetNE(), m, m, m, 3),
                                                           {3 * m * m * m, m * m, m, 1, m * m * m});

  sumfac::host const backend;
  sumfac::element_operator<sumfac::laplace, N> const A{backend, sumfac::view(blocks.HostRead(), by_component),
                                                             {}, sumfac::gauss_lobatto_nodes{}};
  sumfac::restriction const R{backend, table, space.GetTrueVSize(), on(marks)};
  A.apply(R, sumfac::view(x.HostRead(), x.Size()), sumfac::view(y.HostWrite(), y.Size()));
  // [ours]
}

}  // namespace

int main()
{
  problem p;
  mfem::FiniteElementSpace space(&p.mesh, &p.elements);
  auto const values = some_values(static_cast<std::size_t>(space.GetTrueVSize()));
  mfem::Vector x(space.GetTrueVSize()), y(x.Size()), z(x.Size());
  for (int i = 0; i < x.Size(); ++i) x(i) = values[static_cast<std::size_t>(i)];
  by_mfem(p, space, x, y);
  by_sumfac(p, space, x, z);
  std::printf("%d elements, %d unknowns, %d of them fixed\n", space.GetNE(), x.Size(), p.fixed.Size());
  return agree("y = A x", apart(y.HostRead(), z.HostRead(), static_cast<std::size_t>(y.Size())));
}
