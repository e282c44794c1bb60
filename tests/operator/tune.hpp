// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Tuning at run time on any backend: what is chosen, checked, logged and kept.
#pragma once

#include "policies.hpp"

#include <sumfac/operator/global_operator.hpp>
#include <sumfac/operator/tune.hpp>
#include <sumfac/solver/cg.hpp>

#include <geometry/global_vectors.hpp>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <unistd.h>

namespace checks {

// What was logged since the last look.
inline std::vector<std::string>& logged()
{
  static std::vector<std::string> lines;
  return lines;
}
inline void keep_line(char const* line) { logged().push_back(line); }
inline std::vector<std::string> take_log() { return std::exchange(logged(), {}); }

inline bool has_line(std::vector<std::string> const& lines, std::string const& part)
{
  for (auto const& line : lines)
    if (line.find(part) != std::string::npos) return true;
  return false;
}

// A file of the test's own, not there at first, for the length of a scope.
struct own_file {
  own_file()
  {
    close(mkstemp(path.data()));
    std::remove(path.c_str());
  }
  own_file(own_file const&) = delete;
  ~own_file() { std::remove(path.c_str()); }
  std::string path = "/tmp/sumfac_tunings_XXXXXX";
  std::string text() const
  {
    std::ifstream in(path);
    std::stringstream all;
    all << in.rdbuf();
    return all.str();
  }
  void write(std::string const& text) const { std::ofstream(path) << text; }
};

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
