// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Operators on a few deformed elements, compiled for NEON and for each length of SVE. PART names the functions.
#include "numbers.hpp"

#include <sumfac/operator/bake_off.hpp>
#include <sumfac/tensor/pencil.hpp>

#include <limits>

#define SVE_JOINED(a, b) a##b
#define SVE_NAMED(prefix, name) SVE_JOINED(prefix, name)

SVE_DECLARE(PART)

namespace {

using sumfac::buffer, sumfac::host, sumfac::index_t, sumfac::view;

// One more than the lanes of the widest register, so that each has lanes to spare.
constexpr int elements = 9;

// Numbers from -1 to 1, the same for every part.
double number(index_t i)
{
  auto const bits = static_cast<unsigned long long>(i + 1) * 0x9e3779b97f4a7c15u;
  return static_cast<double>((bits ^ (bits >> 29)) % 20001) / 10000 - 1;
}

// The vertices of unit cubes, each moved a little.
buffer<double> mesh()
{
  buffer<double> vertices(elements * 24);
  for (index_t i = 0; i < vertices.size(); ++i)
    vertices[i] = static_cast<double>((i / 3 % 8) >> (i % 3) & 1) + 0.1 * number(i);
  return vertices;
}

template <class Operator, class Scalar>
void apply(sve::numbers& out)
{
  constexpr int n = Operator::nodes_1d;
  buffer<double> const vertices = mesh();
  Operator const a(host{}, view<double const, sumfac::extents<elements, 2, 2, 2, 3>>(vertices.data()));
  buffer<Scalar> u(elements * n * n * n), v(u.size());
  for (index_t i = 0; i < u.size(); ++i) u[i] = static_cast<Scalar>(number(7 * i));
  a.apply(view(u.data(), elements, n, n, n), view(v.data(), elements, n, n, n));
  for (index_t i = 0; i < v.size() && out.count < sve::most_numbers; ++i) {
    out.value[out.count] = v[i];
    out.rounding[out.count++] = std::numeric_limits<Scalar>::epsilon();
  }
}

}  // namespace

namespace sve {

void SVE_NAMED(compute_, PART)(numbers& out)
{
  out.register_bits = sumfac::native_width<double> * 64;
  apply<sumfac::bp1<2>, double>(out);
  apply<sumfac::bp3<3>, double>(out);
  apply<sumfac::bp35<4>, double>(out);
  apply<sumfac::bp35<2, host, float>, float>(out);
}

}  // namespace sve

extern "C" void SVE_NAMED(sumfac_pencil_, PART)(double const* from, double* to)
{
  using packed = sumfac::pack<double, sumfac::native_width<double>>;
  using table = sumfac::interpolate<double, sumfac::gauss_lobatto<5>, sumfac::gauss<6>>;
  auto const line = sumfac::fetch<packed, 5>([&](int i) { return packed::load(from + i * packed::width); });
  sumfac::contract(table{}, line, [&](int q, packed const& x) { x.store(to + q * packed::width); });
}
