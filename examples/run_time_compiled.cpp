// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A degree and a form from the command line, compiled when they are asked for.
//
// usage: run_time_compiled [DEGREE [FORM]], as: run_time_compiled 5 "(k*grad(u), grad(v)) + c*u*v"

#include <sumfac/jit/element_operator.hpp>
#include <sumfac/sumfac.hpp>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

namespace jit = sumfac::jit;

namespace {

// The sum over the entries of A 1 on one element.
template <class Operator>
double sum_of(Operator const& A, int order)
{
  int const n = order + 1;
  std::vector<double> u(static_cast<std::size_t>(n * n * n), 1.0), v(u.size());
  A.apply(sumfac::view(u.data(), 1, n, n, n), sumfac::view(v.data(), 1, n, n, n));
  double sum = 0;
  for (double const x : v) sum += x;
  return sum;
}

void say(char const* what, jit::origin const& code)
{
  constexpr char const* places[] = {"compiled", "from the folder", "in the program"};
  std::printf("%-14s %-16s %10.3f ms, the compiler %.3f s\n", what, places[static_cast<int>(code.from)],
              1e3 * code.seconds, code.compiler_seconds);
}

}  // namespace

int main(int argc, char** argv)
{
  int const degree = argc > 1 ? std::atoi(argv[1]) : 3;
  std::string const text = argc > 2 ? argv[2] : "(k*grad(u), grad(v)) + c*u*v";
  sumfac::mesh const cube = sumfac::box_mesh({1, 1, 1});
  sumfac::host const backend;

  try {
    // [otherwise]
    double const volume = sumfac::dispatch_order<sumfac::orders<1, 2>>(
        degree, [&]<int Order> { return sum_of(sumfac::bp1<Order>{backend, cube}, Order); },
        [&](int order) {
          jit::element_operator const A{backend, cube, jit::type("sumfac/form/mass.hpp", "sumfac::mass"),
                                        {.space = order}};
          say("mass", A.code());
          return sum_of(A, order);
        });
    // [otherwise]
    std::printf("degree %d: volume %.12g\n", degree, volume);

    // [weak]
    std::vector<double> const conductivity{2.0};  // of each element
    auto const form = jit::weak(text, {{"k", sumfac::view(conductivity.data(), 1)}, {"c", 0.5}});
    jit::element_operator const A{backend, cube, form, {.space = degree, .points = jit::gauss(degree + 2)}};
    // [weak]
    say("weak form", A.code());
    jit::element_operator const again{backend, cube, form, {.space = degree, .points = jit::gauss(degree + 2)}};
    say("the same again", again.code());
    std::printf("degree %d: sum of A 1 is %.12g\n", degree, sum_of(A, degree));
  } catch (std::exception const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
