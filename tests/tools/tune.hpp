// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Tuning at run time on any backend: what is chosen, checked, logged and kept.
#pragma once

#include <sumfac/operator/global_operator.hpp>
#include <sumfac/solver/cg.hpp>
#include <sumfac/tools/tune.hpp>

#include <dofs/global_vectors.hpp>
#include <operator/policies.hpp>
#include <support/own_file.hpp>

namespace checks {

inline mesh::nodes some_mesh(int elements)
{
  return mesh::sampled(mesh::jittered({3, 3, 3}, 0.2, reference::gauss_lobatto(2)), elements);
}

// Chosen by a run, then by the file that it has left; both are right.
template <class Operator, class... More>
void chooses_and_keeps(reference::space const& space, reference::integrand<> const& form,
                       typename Operator::form_type const& own_form = {},
                       typename Operator::backend_type const& backend = {})
{
  own_file const file;
  auto const where = reference::gauss_lobatto(2);
  auto const mesh = some_mesh(5);
  sumfac::tune_options const options{.cache = file.path.c_str(), .seconds = 1e-4, .log = keep_line};
  take_log();
  auto const first = sumfac::tune<Operator, More...>(backend, nodes_view(mesh), own_form, options);
  auto const said = take_log();
  REQUIRE(first.trials().size() > 1);
  CHECK(said.size() == first.trials().size() + 1);
  CHECK(said.back().find("takes candidate " + std::to_string(first.chosen() + 1)) != std::string::npos);
  for (auto const& trial : first.trials()) {
    INFO(trial.what << ": " << trial.refused);
    if (trial.what.find("affine") == 0) {  // the mesh is none of parallelepipeds
      CHECK(trial.refused.find("affine") != std::string::npos);
      continue;
    }
    CHECK(trial.refused.empty());
    CHECK(trial.cost > 0);
    CHECK(trial.error > 0);
    CHECK(trial.cost >= 0.98 * first.trials()[std::size_t(first.chosen())].cost);
  }
  auto const second = sumfac::tune<Operator, More...>(backend, nodes_view(mesh), own_form, options);
  CHECK(second.chosen() == first.chosen());
  CHECK(second.trials().empty());
  CHECK(has_line(take_log(), "has it"));
  using scalar = typename Operator::scalar_type;
  compare_with_oracle<scalar>(observe(second, {0, 4}), mesh, where, space, form);
}

}  // namespace checks
