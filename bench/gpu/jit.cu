// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Operators that NVRTC, or hipRTC, compiles while the program runs: results beside the host's, seconds of first and
// later calls, and the rate of their kernels beside that of the same operator compiled ahead.
//
// usage: jit [--headers FOLDER] [--elements E] [--repetitions R] --out FILE
#include "device.hpp"

#include <sumfac/backend/host.hpp>
#include <sumfac/dofs/restriction.hpp>
#include <sumfac/jit/device_operator.hpp>
#include <sumfac/operator/bake_off.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <string>
#include <type_traits>
#include <vector>

namespace {

namespace jit = sumfac::jit;
using sumfac::index_t;
using device_backend = sumfac::bench::device;
#if defined(__HIP__)
using device_of_jit = jit::amd;
#else
using device_of_jit = jit::nvidia;
#endif

struct settings {
  std::string headers = "include", out = "jit.json";
  index_t elements = 20000;
  int repetitions = 20;
};

struct row {
  std::string what;
  int degree;
  double first, again, error, rate, ahead;
};

// Hexahedra, or of four vertices tetrahedra.
std::vector<double> mesh_nodes(index_t elements, int vertices = 8)
{
  std::vector<double> nodes;
  unsigned state = 1;
  for (index_t e = 0; e < elements; ++e)
    for (int vertex = 0; vertex < vertices; ++vertex)
      for (int d = 0; d < 3; ++d) {
        int const at = vertices == 8 ? vertex >> d & 1 : vertex == d + 1;
        nodes.push_back(at + 0.1 * (state = state * 1664525u + 1013904223u) / 4294967296.0);
      }
  return nodes;
}

// What lies at the nodes of a space's elements, n along an edge or in all, with more behind it.
template <sumfac::space Space, class T, class... More>
auto at_nodes(T* data, index_t elements, int n, More... more)
{
  if constexpr (sumfac::detail::is_tensor(Space))
    return sumfac::view(data, elements, n, n, n, more...);
  else
    return sumfac::view(data, elements, n, more...);
}

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// Of medians of repetitions, 1e9 entries of u a second.
template <class Apply>
double rate_of(settings const& s, double entries, device_backend const& device, Apply const& apply)
{
  // The device has waited for the host: its clocks rise first.
  for (double const begin = seconds(); seconds() - begin < 0.1; device.synchronize()) apply();
  std::vector<double> times;
  for (int r = 0; r < s.repetitions; ++r) {
    sumfac::gpu_event<device_backend::runtime> begin(device), end(device);
    begin.record();
    apply();
    end.record();
    end.synchronize();
    times.push_back(end.seconds_since(begin));
  }
  std::nth_element(times.begin(), times.begin() + s.repetitions / 2, times.end());
  return entries / times[static_cast<std::size_t>(s.repetitions / 2)] * 1e-9;
}

// BP3 on global vectors, each element having a side in common with the next: products with sums in order or atomic, and
// the diagonal, beside those compiled ahead. What is compiled for them is timed by the first.
template <int N>
void measure_global(settings const& s, std::string const& cache, std::vector<row>& rows)
{
  constexpr int n = N + 1, cube = n * n * n, step = N * n * n;
  index_t const E = s.elements, size = E * step + n * n;
  auto const nodes = mesh_nodes(E);
  jit::settings how;
  how.headers = std::filesystem::absolute(s.headers).string();
  how.cache = cache;
  sumfac::view const mesh(nodes.data(), E, 2, 2, 2, 3);
  device_of_jit const gpu;
  jit::device_operator A(gpu, mesh, jit::type("sumfac/form/stiffness.hpp", "sumfac::stiffness", {{"lambda", 0.3}}),
                         {.space = N, .points = jit::gauss(N + 2)}, how);
  device_backend const device;
  sumfac::bp3<N, device_backend> const ahead(device, mesh, {.lambda = 0.3});
  std::vector<int> table(static_cast<std::size_t>(E * cube));
  for (int i = 0; i < E * cube; ++i) table[static_cast<std::size_t>(i)] = i / cube * step + i % cube;
  std::vector<double> x(static_cast<std::size_t>(size)), y(x.size()), expected(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i * 7919 % 1013) / 1013 - 0.5;
  sumfac::buffer<double, device_backend> from(device, size), to(device, size);
  device.copy(x.data(), from.data(), size);
  device.synchronize();
  sumfac::view const x_there(static_cast<double const*>(from.data()), size);
  sumfac::view const y_there(to.data(), size);
  auto const compare = [&](row& of, auto const& jit_call, auto const& ahead_call) {
    for (auto* result : {&y, &expected}) {
      if (result == &y)
        jit_call();
      else
        ahead_call();
      device.copy(static_cast<double const*>(to.data()), result->data(), size);
      device.synchronize();
    }
    double largest = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      largest = std::max(largest, std::abs(expected[i]));
      of.error = std::max(of.error, std::abs(y[i] - expected[i]));
    }
    of.error /= largest;
    of.rate = rate_of(s, static_cast<double>(size), device, jit_call);
    of.ahead = rate_of(s, static_cast<double>(size), device, ahead_call);
  };
  for (auto const policy : {sumfac::scatter::deterministic, sumfac::scatter::atomic}) {
    bool const in_order = policy == sumfac::scatter::deterministic;
    sumfac::restriction<double, device_backend> const S(device, sumfac::view(table.data(), E, n, n, n), size,
                                                        {.policy = policy});
    double const begin = seconds();
    jit::device_restriction const R(A, S);
    row product{in_order ? "BP3, in order" : "BP3, atomic", N, seconds() - begin, 0, 0, 0, 0};
    compare(
        product, [&] { A.apply(R, x_there, y_there); }, [&] { ahead.apply(S, x_there, y_there); });
    rows.push_back(product);
    if (!in_order) continue;
    double const asked = seconds();
    A.diagonal(R, y_there);
    row diagonal{"BP3's diagonal", N, seconds() - asked, 0, 0, 0, 0};
    compare(
        diagonal, [&] { A.diagonal(R, y_there); }, [&] { ahead.diagonal(S, y_there); });
    rows.push_back(diagonal);
  }
}

template <sumfac::space Space, class Policy = sumfac::stored>
row measure(settings const& s, std::string const& cache, char const* what, bool as_text = false)
{
  constexpr bool is_tensor = sumfac::detail::is_tensor(Space);
  constexpr int N = Space.degree, n = is_tensor ? N + 1 : sumfac::detail::functions_of_cell(Space);
  constexpr int of_element = is_tensor ? n * n * n : n, m = is_tensor ? 2 : 4;
  using host_operator = sumfac::element_operator<sumfac::stiffness, Space, Policy>;
  using ahead_operator = sumfac::element_operator<sumfac::stiffness, Space, device_backend, Policy>;
  index_t const E = s.elements, checked = std::min<index_t>(E, 64);
  auto const nodes = mesh_nodes(E, is_tensor ? 8 : 4);
  jit::settings how;
  how.headers = std::filesystem::absolute(s.headers).string();
  how.cache = cache;
  auto const form = as_text ? jit::weak("(grad(u), grad(v)) + c*u*v", {{"c", 0.3}})
                            : jit::type("sumfac/form/stiffness.hpp", "sumfac::stiffness", {{"lambda", 0.3}});
  jit::options const options{.space = Space, .geometry = Policy{}};
  auto const mesh = at_nodes<Space>(nodes.data(), E, m, 3), few_elements = at_nodes<Space>(nodes.data(), checked, m, 3);
  device_of_jit const gpu;
  jit::device_operator A(gpu, mesh, form, options, how);
  double const begin = seconds();
  jit::device_operator const again(gpu, few_elements, form, options, how);
  row result{what, N, A.code().seconds, seconds() - begin, 0, 0, 0};

  device_backend const device;
  std::vector<double> u(static_cast<std::size_t>(E) * of_element);
  for (std::size_t i = 0; i < u.size(); ++i) u[i] = static_cast<double>(i * 7919 % 1013) / 1013 - 0.5;
  auto const size = static_cast<index_t>(u.size());
  sumfac::buffer<double, device_backend> from(device, size), to(device, size);
  device.copy(u.data(), from.data(), size);
  device.synchronize();
  auto const u_there = at_nodes<Space>(static_cast<double const*>(from.data()), E, n);
  auto const v_there = at_nodes<Space>(to.data(), E, n);
  A.apply(u_there, v_there);
  gpu.synchronize();

  auto const few = static_cast<std::size_t>(checked) * of_element;
  std::vector<double> v(few), expected(few);
  device.copy(static_cast<double const*>(to.data()), v.data(), static_cast<index_t>(few));
  device.synchronize();
  host_operator const on_host(sumfac::host(), few_elements, {.lambda = 0.3});
  on_host.apply(at_nodes<Space>(u.data(), checked, n), at_nodes<Space>(expected.data(), checked, n));
  double largest = 0;
  for (std::size_t i = 0; i < few; ++i) {
    largest = std::max(largest, std::abs(expected[i]));
    result.error = std::max(result.error, std::abs(v[i] - expected[i]));
  }
  result.error /= largest;

  result.rate = rate_of(s, static_cast<double>(size), device, [&] { A.apply(u_there, v_there); });
  ahead_operator const ahead(device, mesh, {.lambda = 0.3});
  result.ahead = rate_of(s, static_cast<double>(size), device, [&] { ahead.apply(u_there, v_there); });
  return result;
}

}  // namespace

int main(int argc, char** argv)
{
  settings s;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--headers") == 0) s.headers = argv[i + 1];
    if (std::strcmp(argv[i], "--out") == 0) s.out = argv[i + 1];
    if (std::strcmp(argv[i], "--elements") == 0) s.elements = std::atoll(argv[i + 1]);
    if (std::strcmp(argv[i], "--repetitions") == 0) s.repetitions = std::atoi(argv[i + 1]);
  }
  bool const of_nvidia = std::is_same_v<device_of_jit, jit::nvidia>;
  auto const platform = of_nvidia ? jit::detail::nvidia_platform() : jit::detail::amd_platform();
  if (!jit::detail::opened_library(platform.driver_files).is_there()) {
    std::printf("Skipped: no %s, the driver\n", platform.driver_files[0].c_str());
    std::fputs("{\"rows\": []}\n", std::fopen(s.out.c_str(), "w"));
    return 0;
  }
  char folder[] = "/tmp/sumfac_jit_XXXXXX";
  if (::mkdtemp(folder) == nullptr) return 1;
  int result = 0;
  try {
    std::vector<row> rows{measure<sumfac::space(3)>(s, folder, "BP3 by its type"),
                          measure<sumfac::space(7)>(s, folder, "BP3 by its type"),
                          measure<sumfac::space(7)>(s, folder, "BP3 as text", true)};
    rows.push_back(measure<sumfac::tetrahedron(3)>(s, folder, "tetrahedra"));
    rows.push_back(measure<sumfac::tetrahedron(3), sumfac::affine>(s, folder, "affine tetrahedra"));
    measure_global<7>(s, folder, rows);
    std::FILE* const out = std::fopen(s.out.c_str(), "w");
    if (out == nullptr) throw std::runtime_error("cannot write " + s.out);
    std::fprintf(out, "{\"rows\": [");
    std::printf("%-16s degree  first s  from the folder s  error     GDOF/s  compiled ahead\n", "");
    for (auto const& r : rows) {
      bool const right = r.error < 1e-13;
      std::printf("%-16s %6d  %7.3f  %17.4f  %.2e  %6.2f  %6.2f%s\n", r.what.c_str(), r.degree, r.first, r.again,
                  r.error, r.rate, r.ahead, right ? "" : "  WRONG");
      std::fprintf(out,
                   "%s\n  {\"what\": \"%s\", \"degree\": %d, \"first_s\": %g, \"again_s\": %g, \"error\": %g, "
                   "\"gdofs\": %g, \"gdofs_ahead\": %g}",
                   &r == rows.data() ? "" : ",", r.what.c_str(), r.degree, r.first, r.again, r.error, r.rate, r.ahead);
      if (!right) result = 1;
    }
    std::fprintf(out, "\n]}\n");
    std::fclose(out);
  } catch (std::exception const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    result = 1;
  }
  std::filesystem::remove_all(folder);
  return result;
}
