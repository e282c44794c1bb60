// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What `trees` times: one operator on one mesh, in a library of its own for each tree of the repository.
#pragma once

namespace sumfac::bench {

class trees_subject {
public:
  virtual ~trees_subject() = default;

  virtual double dofs() const = 0;
  // Seconds of so many applications, or iterations.
  virtual double seconds(int count) = 0;
};

// What is timed: an application of the operator, with deterministic or atomic scatter; an iteration of conjugate
// gradients, plain or merged; the diagonal. E-vectors know the first.
enum class trees_work { apply, atomic, plain, merged, diagonal };

// What each library has under the name trees_make: the subject with a number of degrees of freedom near `dofs`, null
// where the problem does not know the work.
using trees_make_function = trees_subject*(double dofs, int threads, trees_work work);

}  // namespace sumfac::bench
