// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Times two builds of one operator in turns: usage: trees_driver OLD.so NEW.so DOFS WORK ROUNDS SECONDS THREADS
//
// Each round makes both operators anew, first the one and then the other first: where memory comes to lie alone is
// worth a tenth. Within a round they are timed in turns, and the least time of each counts. Prints degrees of freedom,
// those of each build per microsecond (medians of the rounds) and the median, least and largest ratio of the rounds.
#include "../subjects/subject.hpp"
#include "trees_make.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace sumfac::bench;

trees_make_function* load(char const* path)
{
  void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  void* const found = library != nullptr ? dlsym(library, "trees_make") : nullptr;
  if (found == nullptr) throw std::runtime_error(dlerror());
  return reinterpret_cast<trees_make_function*>(found);
}

double middle(std::vector<double> x)
{
  std::sort(x.begin(), x.end());
  return (x[(x.size() - 1) / 2] + x[x.size() / 2]) / 2;
}

// How many applications take about so many seconds.
int count_for(instance& subject, int way, double seconds)
{
  subject.seconds(way, 1);
  double const one = subject.seconds(way, 2);
  return std::max(1, static_cast<int>(seconds / std::max(one, 1e-9)));
}

int run(char** argv)
{
  trees_make_function* const make[2] = {load(argv[1]), load(argv[2])};
  double const dofs = std::atof(argv[3]), seconds = std::atof(argv[6]);
  std::string const work = argv[4];
  int const rounds = std::atoi(argv[5]), threads = std::atoi(argv[7]);
  constexpr int turns = 8;

  std::vector<double> rate[2], ratio;
  double real = 0;
  for (int round = 0; round < rounds; ++round) {
    std::unique_ptr<instance> subject[2];
    int way = 0;
    for (int i = 0; i < 2; ++i) {
      int const which = (i + round) % 2;
      subject[which].reset(make[which](dofs, threads, work == "atomic"));
      way = subject[which]->way(work);
    }
    real = static_cast<double>(subject[0]->dofs());
    int const count = count_for(*subject[0], way, seconds / (2 * turns));
    subject[1]->seconds(way, count);
    double least[2] = {1e300, 1e300};
    for (int turn = 0; turn < turns; ++turn)
      for (int i = 0; i < 2; ++i) {
        int const which = (i + turn) % 2;
        least[which] = std::min(least[which], subject[which]->seconds(way, count));
      }
    for (int i = 0; i < 2; ++i) rate[i].push_back(real / least[i] / 1e6);
    ratio.push_back(least[0] / least[1]);
  }
  auto const [low, high] = std::minmax_element(ratio.begin(), ratio.end());
  std::printf("%9.0f  %8.1f  %8.1f  %6.3f  %6.3f  %6.3f\n", real, middle(rate[0]), middle(rate[1]), middle(ratio), *low,
              *high);
  return 0;
}

}  // namespace

int main(int argc, char** argv)
{
  try {
    if (argc != 8) throw std::invalid_argument("trees: see bench/trees --help");
    return run(argv);
  } catch (std::exception const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
