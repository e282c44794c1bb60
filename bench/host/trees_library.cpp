// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A library for `trees`: the one subject that the source compiled beside it has entered.
#include "../subjects/subject.hpp"
#include "trees_make.hpp"

extern "C" __attribute__((visibility("default"))) sumfac::bench::instance* trees_make(double dofs, int threads,
                                                                                      bool atomic)
{
  auto const& one = sumfac::bench::catalogue().front();
  return one.make({.elements = one.elements_for(dofs), .threads = threads, .atomic = atomic}).release();
}
