// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The operator, compiled once for each processor; MAKE_MASS is the name of the function that makes it there.
#include "mass.hpp"

#include <sumfac/operator/bake_off.hpp>

// [operator]
namespace {  // so that each target has a class of its own

class mass_of_target final : public mass {
public:
  mass_of_target(double const* vertices, int elements)
      : elements_(elements), operator_{sumfac::host{}, sumfac::view(vertices, elements, 2, 2, 2, 3)}
  {
  }

  void apply(double const* u, double* v) const override
  {
    operator_.apply(sumfac::view(u, elements_, 5, 5, 5), sumfac::view(v, elements_, 5, 5, 5));
  }

private:
  int elements_;
  sumfac::bp1<4> operator_;
};

}  // namespace

mass* MAKE_MASS(double const* vertices, int elements)
{
  return new mass_of_target(vertices, elements);
}
// [operator]
