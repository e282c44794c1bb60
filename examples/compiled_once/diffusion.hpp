// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A solver for some degrees that are compiled once: a header without sumfac's, which takes no time to include.
#pragma once

#include <memory>
#include <vector>

// [header]
struct brick_mesh {
  std::vector<double> vertices;  // (E, 2, 2, 2, 3)
  std::vector<int> table;        // (E, n, n, n): node numbers
  std::vector<char> fixed;       // nodes where the solution is 0
};

template <int Degree>
class diffusion {  // (grad u, grad v) = b
public:
  explicit diffusion(brick_mesh const& mesh);
  ~diffusion();
  int solve(std::vector<double> const& b, std::vector<double>& u) const;  // the number of iterations

private:
  struct parts;
  std::unique_ptr<parts> parts_;
};

extern template class diffusion<2>;
extern template class diffusion<3>;
// [header]
