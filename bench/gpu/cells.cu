// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Times on a device, on E-vectors in memory: the Laplacian on tetrahedra, discontinuous Galerkin's Laplacian and
// advection on hexahedra, in one kernel and in two, faces of the former alone, several right sides, and inputs; on
// global vectors the Laplacian on a mesh that hangs, and Nitsche's terms on the boundary beside the Laplacian. Each
// degree is checked before, beside the host.
#include "../report/timing.hpp"
#include "../subjects/check.hpp"
#include "copies.hpp"
#include "device.hpp"
#include "size_options.hpp"

#include <sumfac/dofs/function_space.hpp>
#include <sumfac/form/inputs.hpp>
#include <sumfac/form/several.hpp>
#include <sumfac/form/stiffness.hpp>
#include <sumfac/mesh/boundary_faces.hpp>
#include <sumfac/mesh/box_mesh.hpp>
#include <sumfac/mesh/refined.hpp>
#include <sumfac/operator/element_operator.hpp>
#include <sumfac/operator/element_sum.hpp>
#include <sumfac/operator/face_operator.hpp>
#include <sumfac/operator/field.hpp>
#include <sumfac/operator/interior_operator.hpp>
#include <sumfac/operator/sum.hpp>

#include <operator/face_forms.hpp>
#include <operator/two_sided_forms.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#if !defined(SUMFAC_CELLS_ORDERS)  // 1 to 7
#define SUMFAC_CELLS_ORDERS 2
#endif

namespace sumfac::bench {

// (k grad u, grad v), k another function.
struct conduction {
  static constexpr auto trial = gradient, test = gradient;
  using inputs = reads<input{}>;
  template <class T>
  using factors = laplace::factors<T>;
  template <class T>
  SUMFAC_FUNCTION factors<T> setup(mapping<T> const& x) const
  {
    return laplace().setup(x);
  }
  template <class T>
  SUMFAC_FUNCTION point_values<T> apply(factors<T> const& f, point_values<T> const& u, point_values<T> const& k) const
  {
    return {.gradient = k.value * (f.metric * u.gradient)};
  }
};

}  // namespace sumfac::bench

namespace {

using namespace sumfac;
using namespace sumfac::bench;

char const* const usage =
    R"(usage: cells [--orders 1-7] [--only WHAT] [--largest N] [--seconds S] [--check] [--out FILE]

--orders   of those that it is compiled for (SUMFAC_CELLS_ORDERS)
--only     tetrahedra, faces, sides, several, inputs or hanging
--largest  bytes of a kernel's vectors and factors (default: 4 times the device's last-level cache)
--seconds  of timing per row (default 0.1)
--check    only compares with the host
)";

struct options : size_options {
  std::string only;  // all where empty

  bool wants(char const* what) const { return only.empty() || only == what; }
};
using sip = two_sided::interior_penalty;

// Multiply-adds of eight chains in each thread: what arithmetic could do.
struct fma_kernel {
  static constexpr int threads = 256, chains = 8, steps = 512;
  template <class Team>
  struct scratch {};

  double a, b;
  double* to;

  template <class Team>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>&, index_t group) const
  {
    team.each(box<threads>{}, [&](int thread) {
      double x[chains];
      SUMFAC_UNROLL
      for (int c = 0; c < chains; ++c) x[c] = thread + c;
      for (int s = 0; s < steps; ++s) SUMFAC_UNROLL
      for (int c = 0; c < chains; ++c) x[c] = __builtin_fma(x[c], a, b);
      double sum = 0;
      SUMFAC_UNROLL
      for (int c = 0; c < chains; ++c) sum += x[c];
      if (sum == 1) to[group] = sum;  // never
    });
  }
};

struct ceilings {
  double copy, fma;  // bytes and flops a second
};

ceilings ceilings_of(device const& backend, index_t bytes)
{
  copies c(bytes);
  buffer<double, device> to(backend, 1);
  index_t const groups = 64 * backend.multiprocessors();
  double copy = 1, fma = 1;
  for (int i = 0; i < 5; ++i) {
    copy = std::min({copy, c.by_kernel(bytes, 5), c.by_runtime(bytes, 5)});
    fma = std::min(fma, seconds_of(backend, 3, [&] { backend.launch(fma_kernel{0.5, 0.25, to.data()}, groups); }));
  }
  double const flops = 2.0 * fma_kernel::threads * fma_kernel::chains * fma_kernel::steps * double(groups);
  return {double(bytes) / copy, flops / fma};
}

struct measurement {
  char const* what;
  int order, functions;  // right sides
  index_t elements, dofs;
  double bytes, flops, error, seconds = 0;

  // The part of a rate that so much in these seconds is.
  double of(double work, double rate) const { return seconds > 0 ? work / seconds / rate : 0; }
  json_object json(ceilings const& c) const
  {
    json_object row;
    row("what", what)("order", order)("functions", functions)("elements", elements)("dofs", dofs)("bytes", bytes);
    row("flops", flops)("error_of_allowed", error)("seconds", seconds);
    if (seconds == 0) return row;
    return row("GDOF/s", double(dofs) / seconds * 1e-9)("of_copy", of(bytes, c.copy))("of_fma", of(flops, c.fma));
  }
};

class rows {
public:
  rows(options const& o, device const& backend)
      : o_(o), backend_(backend), bytes_(o.largest > 0 ? o.largest : 4 * backend.cache_bytes())
  {
    if (!o_.check) ceilings_ = ceilings_of(backend_, bytes_);
    std::printf("copy %.0f GB/s, multiply-adds %.0f GFLOP/s\n", ceilings_.copy * 1e-9, ceilings_.fma * 1e-9);
  }

  options const& asked() const { return o_; }
  device const& backend() const { return backend_; }
  // Elements whose data are all the bytes; their cubic root.
  index_t elements(double bytes_of_one) const { return std::max<index_t>(1, index_t(double(bytes_) / bytes_of_one)); }
  int cells(double bytes_of_one) const { return int(std::cbrt(double(elements(bytes_of_one)))); }

  template <class Apply>
  void time(measurement m, Apply const& apply)
  {
    require_right(m.error);
    if (!o_.check) {
      double const once = seconds_of(backend_, 2, apply);
      auto const count = int(std::fmin(std::fmax(o_.seconds / 9 / once, 1), 100));
      std::vector<double> samples;
      for (int i = 0; i < 9; ++i) samples.push_back(seconds_of(backend_, count, apply));
      m.seconds = median(samples);
    }
    std::printf("%-17s N:%d K:%d E:%-7lld %9lld dofs %9.2f us %7.3f GDOF/s  %.2f of copy  %.2f of fma  error %.2f\n",
                m.what, m.order, m.functions, static_cast<long long>(m.elements), static_cast<long long>(m.dofs),
                m.seconds * 1e6, m.of(double(m.dofs), 1e9), m.of(m.bytes, ceilings_.copy), m.of(m.flops, ceilings_.fma),
                m.error);
    std::fflush(stdout);
    rows_.push_back(m.json(ceilings_));
    if (o_.out.empty()) return;
    auto c = context(backend_);
    c("copy_B/s", ceilings_.copy)("fma_FLOP/s", ceilings_.fma);
    json_file()("context", c)("rows", rows_).write(o_.out);
  }

private:
  options o_;
  device backend_;
  index_t bytes_;
  ceilings ceilings_{1, 1};
  std::vector<json_object> rows_;
};

// How far the device's v = A u is from the host's, in units of a thousand roundings of the largest entry; `functions`
// of the device's are the host's one each.
template <class OfHost, class OfDevice>
double error_of(device const& backend, index_t size, int functions, OfHost const& of_host, OfDevice const& of_device)
{
  auto const u = random_numbers<double>(size);
  std::vector<double> v(u.size()), of_all;
  of_host(u.data(), v.data());
  for (int f = 0; f < functions; ++f) of_all.insert(of_all.end(), u.begin(), u.end());
  auto const from = on_device(backend, of_all);
  buffer<double, device> to(backend, from.size());
  of_device(from.data(), to.data());
  auto const got = on_host(backend, to);
  double most = 0, largest = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    double const off = std::abs(got[i] - v[i % v.size()]);
    most = off <= most ? most : off <= HUGE_VAL ? off : HUGE_VAL;
    largest = std::max(largest, std::abs(v[i % v.size()]));
  }
  return largest > 0 ? most / (1000 * 2.2e-16 * largest) : HUGE_VAL;
}

std::vector<double> tetrahedra(index_t elements)
{
  std::vector<double> vertices;
  for (index_t e = 0; e < elements; ++e) {
    double const size = 1 + 0.01 * double(e % 7);
    for (double const x : {0., 0., 0., 1., 0., 0., 0., 1., 0., 0.1, 0., 1.}) vertices.push_back(size * x);
  }
  return vertices;
}

template <int Elements>
using in_teams_of = tuned<tuning{.way = variant::dense, .elements = Elements}>;
template <int Elements, int ResidentTeams = 1>
using by_matrices = tuned<tuning{.way = variant::matrices, .elements = Elements, .resident_teams = ResidentTeams}>;

template <int N, class Geometry, class... Options>
void time_tetrahedra(rows& t, char const* what)
{
  if (!command_line::listed(t.asked().orders, N)) return;
  constexpr index_t p = detail::functions_of_cell(tetrahedron(N));
  using on_device_type = element_operator<laplace, tetrahedron(N), device, Geometry, Options...>;
  auto const shaped = [](auto* x, index_t elements) { return view(x, elements, p); };
  constexpr index_t few = 37;
  auto const some = tetrahedra(few);
  element_operator<laplace, tetrahedron(N)> const of_host{host{}, view(some.data(), few, 4, 3)};
  on_device_type const small{t.backend(), view(some.data(), few, 4, 3)};
  double const error = error_of(
      t.backend(), few * p, 1, [&](auto* u, auto* v) { of_host.apply(shaped(u, few), shaped(v, few)); },
      [&](auto* u, auto* v) { small.apply(shaped(static_cast<double const*>(u), few), shaped(v, few)); });
  index_t const elements = t.asked().check ? few : t.elements(double(small.work().bytes()) / few);
  auto const vertices = tetrahedra(elements);
  on_device_type const a{t.backend(), view(vertices.data(), elements, 4, 3)};
  auto const u = on_device(t.backend(), random_numbers<double>(elements * p));
  buffer<double, device> v(t.backend(), u.size());
  t.time({what, N, 1, elements, elements * p, double(a.work().bytes()), double(a.work().flops), error},
         [&] { a.apply(shaped(u.data(), elements), shaped(v.data(), elements)); });
}

auto bent_box(int cells)
{
  return box_mesh(
      {cells, cells, cells},
      [](auto const& x) {
        return vector<double, 3>{x[0] + 0.1 * x[1] * x[1], x[1] + 0.1 * x[2] * x[0], x[2] + 0.1 * x[0] * x[0]};
      },
      1);
}

// v = F u of all faces, where they are timed alone, and v = K u + F u in two kernels and in one.
template <int N, class Within, class Between>
void time_faces(rows& t, char const* alone, char const* in_two, char const* in_one)
{
  if (!command_line::listed(t.asked().orders, N)) return;
  constexpr index_t n = N + 1, g = N + 2, nodes = n * n * n;
  constexpr double factors = factors_of<Between, 3>, terms = has(Between::trial, gradient) ? 2 : 1;
  constexpr double of_faces = 6 * 8.0 * g * g * factors + 16.0 * nodes;
  constexpr double face_flops = terms * 6 * (4 * n * n * n + 8 * n * n * g + 8 * n * g * g + 8 * g * g * g);
  auto const shaped = [](auto* x, index_t elements) { return view(x, elements, n, n, n); };
  auto const flat = [](auto* x, auto const& A) { return view(x, A.size()); };
  using K_device = element_operator<Within, N, device>;
  using F_device = interior_operator<Between, N, device>;
  auto const few = bent_box(2);
  element_operator<Within, N> const K_host{host{}, few};
  interior_operator<Between, N> const F_host{host{}, few};
  K_device const K_few{t.backend(), few};
  F_device const F_few{t.backend(), few};
  sum const A_few{K_few, F_few};
  auto const error_in = [&](auto kernels) {
    return error_of(
        t.backend(), 8 * nodes, 1,
        [&](auto* u, auto* v) {
          auto const from = shaped(static_cast<double const*>(u), 8);
          K_host.apply(from, shaped(v, 8)), F_host.apply_add(from, shaped(v, 8));
        },
        [&](auto* u, auto* v) {
          A_few.template apply<decltype(kernels)::value>(flat(static_cast<double const*>(u), A_few), flat(v, A_few));
        });
  };

  auto const box = bent_box(t.asked().check ? 2 : std::max(2, t.cells(of_faces)));
  index_t const elements = box.elements(), dofs = elements * nodes;
  K_device const K{t.backend(), box};
  F_device const F{t.backend(), box};
  sum const A{K, F};
  auto const u = on_device(t.backend(), random_numbers<double>(dofs));
  buffer<double, device> v(t.backend(), u.size());
  double const count = double(elements), flops = double(K.work().flops) + face_flops * count;
  double const of_two = double(K.work().bytes()) + (of_faces + 8 * nodes) * count;
  auto const apply = [&](auto kernels) {
    A.template apply<decltype(kernels)::value>(flat(static_cast<double const*>(u.data()), A), flat(v.data(), A));
  };
  constexpr std::integral_constant<int, 1> one;
  constexpr std::integral_constant<int, 2> two;
  double const error = error_in(two);
  if (alone != nullptr)
    t.time({alone, N, 1, elements, dofs, of_faces * count, face_flops * count, error},
           [&] { F.apply(shaped(u.data(), elements), shaped(v.data(), elements)); });
  t.time({in_two, N, 1, elements, dofs, of_two, flops, error}, [&] { apply(two); });
  if constexpr (decltype(A)::sweep.possible)
    t.time({in_one, N, 1, elements, dofs, of_two - 24.0 * nodes * count, flops, error_in(one)}, [&] { apply(one); });
}

// The Laplacian of a box and Nitsche's terms on its boundary, on global vectors.
template <int N, class Backend>
struct by_nitsche {
  static constexpr index_t n = N + 1;

  by_nitsche(mesh<3> const& box, Backend const& backend, scatter policy = scatter::deterministic)
      : V(box, N),
        numbers(owner_table(V.table(), box.boundary())),
        places(owner_nodes(box, box.boundary())),
        faces(static_cast<index_t>(box.boundary().size())),
        in_volume(V.restriction(backend, {.policy = policy})),
        on_sides(backend, view(numbers.data(), faces, n, n, n), V.nodes(), {.policy = policy}),
        K(backend, box),
        B(backend, view(places.data(), faces, 2, 2, 2, 3))
  {
  }

  function_space<3> V;
  std::vector<index_t> numbers;
  std::vector<double> places;
  index_t faces;
  restriction<double, Backend> in_volume, on_sides;
  element_operator<laplace, N, Backend> K;
  face_operator<face_terms::nitsche, N, Backend> B;
};

// y = K x, y = B x, and y = (K + B) x.
template <int N>
void time_sides(rows& t)
{
  if (!command_line::listed(t.asked().orders, N)) return;
  constexpr index_t n = N + 1, g = N + 2, nodes = n * n * n;
  constexpr double bytes_of_face = 8.0 * g * g * factors_of<face_terms::nitsche, 3> + (2 * 8 + 2 * 4) * nodes;
  constexpr double flops_of_face = 2 * (4 * n * n * n + 8 * n * n * g + 8 * n * g * g + 8 * g * g * g);
  auto const shaped = [](auto* x, index_t size) { return view(x, size); };
  auto const few = bent_box(2);
  by_nitsche<N, host> const of_host(few, host{});
  by_nitsche<N, device> const small(few, t.backend());
  index_t const some = small.V.size();
  double const error = error_of(
      t.backend(), some, 1,
      [&](auto* x, auto* y) {
        sum const A{part{of_host.K, of_host.in_volume}, part{of_host.B, of_host.on_sides}};
        A.apply(shaped(static_cast<double const*>(x), some), shaped(y, some));
      },
      [&](auto* x, auto* y) {
        sum const A{part{small.K, small.in_volume}, part{small.B, small.on_sides}};
        A.apply(shaped(static_cast<double const*>(x), some), shaped(y, some));
      });
  double const of_element = double(small.K.work().bytes()) / 8;
  auto const box = bent_box(t.asked().check ? 2 : std::min(64, std::max(2, t.cells(of_element))));
  for (scatter const policy : {scatter::deterministic, scatter::atomic}) {
    by_nitsche<N, device> const timed(box, t.backend(), policy);
    bool const adds = policy == scatter::atomic;
    index_t const size = timed.V.size(), elements = box.elements();
    sum const A{part{timed.K, timed.in_volume}, part{timed.B, timed.on_sides}};
    auto const x = on_device(t.backend(), random_numbers<double>(size));
    buffer<double, device> y(t.backend(), size);
    auto const from = shaped(static_cast<double const*>(x.data()), size);
    auto const to = shaped(y.data(), size);
    double const bytes = double(timed.K.work().bytes()), flops = double(timed.K.work().flops);
    double const more = bytes_of_face * double(timed.faces), sums = flops_of_face * double(timed.faces);
    t.time({adds ? "volume, atomic" : "volume", N, 1, elements, size, bytes, flops, error},
           [&] { timed.K.apply(timed.in_volume, from, to); });
    t.time({adds ? "sides, atomic" : "sides", N, 1, timed.faces, size, more, sums, error},
           [&] { timed.B.apply_add(timed.on_sides, from, to); });
    t.time({adds ? "both, atomic" : "both", N, 1, elements, size, bytes + more, flops + sums, error},
           [&] { A.apply(from, to); });
  }
}

template <int N, int K>
void time_several(rows& t)
{
  if (!command_line::listed(t.asked().orders, N)) return;
  constexpr index_t n = N + 1, nodes = n * n * n;
  using many = element_operator<several<laplace, K>, N, device>;
  auto const of_one = [](auto* x, index_t elements) { return view(x, elements, n, n, n); };
  auto const shaped = [](auto* x, index_t elements) {
    if constexpr (K == 1)
      return view(x, elements, n, n, n);
    else
      return view(x, elements, K, n, n, n);
  };
  auto const few = box_mesh({1, 1, 1});  // one element: K functions are K times its vector
  element_operator<laplace, N> const A{host{}, few};
  many const small{t.backend(), few};
  double const error = error_of(
      t.backend(), nodes, K, [&](auto* u, auto* v) { A.apply(of_one(u, 1), of_one(v, 1)); },
      [&](auto* u, auto* v) { small.apply(shaped(static_cast<double const*>(u), 1), shaped(v, 1)); });
  auto const box = bent_box(t.asked().check ? 2 : t.cells(double(small.work().bytes())));
  index_t const elements = box.elements();
  many const a{t.backend(), box};
  auto const u = on_device(t.backend(), random_numbers<double>(elements * K * nodes));
  buffer<double, device> v(t.backend(), u.size());
  t.time({"several", N, K, elements, u.size(), double(a.work().bytes()), double(a.work().flops), error},
         [&] { a.apply(shaped(static_cast<double const*>(u.data()), elements), shaped(v.data(), elements)); });
}

// With k kept at the points; kept anew before each product; and read in the kernel.
template <int N>
void time_inputs(rows& t)
{
  if (!command_line::listed(t.asked().orders, N)) return;
  constexpr index_t n = N + 1, nodes = n * n * n;
  auto const shaped = [](auto* x, index_t elements) { return view(x, elements, n, n, n); };
  using conducting = element_operator<conduction, N, device>;
  auto const few = bent_box(2);
  element_operator<conduction, N> of_host{host{}, few};
  conducting small{t.backend(), few};
  auto const numbers = random_numbers<double>(9 * nodes);  // the last ones, for other ones than u's
  auto const there = on_device(t.backend(), numbers);
  auto const k_few = shaped(there.data() + nodes, 8);
  of_host.linearize(shaped(numbers.data() + nodes, 8)), small.linearize(k_few);
  auto const error_in = [&](auto const&... fields) {
    return error_of(
        t.backend(), 8 * nodes, 1,
        [&](auto* u, auto* v) { of_host.apply(shaped(static_cast<double const*>(u), 8), shaped(v, 8)); },
        [&](auto* u, auto* v) { small.apply(shaped(static_cast<double const*>(u), 8), shaped(v, 8), fields...); });
  };
  auto const box = bent_box(t.asked().check ? 2 : std::max(2, t.cells(double(small.work().bytes()) / 8)));
  index_t const elements = box.elements(), dofs = elements * nodes;
  conducting a{t.backend(), box};
  auto const u_there = on_device(t.backend(), random_numbers<double>(dofs));
  auto const k_there = on_device(t.backend(), random_numbers<double>(dofs));
  buffer<double, device> v(t.backend(), dofs);
  auto const u = shaped(u_there.data(), elements), k = shaped(k_there.data(), elements);
  auto const time = [&](char const* what, sumfac::work const& w, double error, auto const& apply) {
    t.time({what, N, 1, elements, dofs, double(w.bytes()), double(w.flops), error}, apply);
  };
  time("input kept anew", a.work(), error_in(), [&] { a.linearize(k), a.apply(u, shaped(v.data(), elements)); });
  time("input kept", a.work(), error_in(), [&] { a.apply(u, shaped(v.data(), elements)); });
  time("input read", a.work(field(k)), error_in(field(k_few)),
       [&] { a.apply(u, shaped(v.data(), elements), field(k)); });
}

// Cut twice around a sphere.
auto hanging_box(int cells)
{
  auto box = bent_box(cells);
  for (double height = 1.0 / cells; height * cells > 0.3; height /= 2) {
    std::vector<index_t> cut;
    for (index_t e = 0; e < box.elements(); ++e) {
      double square = 0;
      for (int c = 0; c < 3; ++c) square += std::pow((box(e, 0, 0, 0, c) + box(e, 1, 1, 1, c)) / 2, 2);
      if (std::abs(std::sqrt(square) - 0.8) < height / 2) cut.push_back(e);
    }
    box = refine(box, cut);
  }
  return box;
}

// y = A x on a mesh that hangs: by elements that interpolate, and by equations; and on one of as many elements that
// does not. Threads add atomically, or sums are the same every time.
template <int N>
void time_hanging(rows& t)
{
  if (!command_line::listed(t.asked().orders, N)) return;
  using laplacian = element_operator<laplace, N, device>;
  auto const shaped = [](auto* x, index_t size) { return view(x, size); };
  auto const error_on = [&](auto const& box, bool masks, scatter policy) {
    function_space const V{box, N, box.boundary()};
    auto equations = V.hanging();
    if (!masks) equations.set_masks({});
    element_operator<laplace, N> const A_host{host{}, box};
    laplacian const A{t.backend(), box};
    auto const R_host = V.restriction(host{});
    restriction const R{t.backend(), V.table(), V.nodes(), V.marks(), equations, {.policy = policy}};
    return error_of(
        t.backend(), V.size(), 1,
        [&](auto* x, auto* y) {
          A_host.apply(R_host, shaped(static_cast<double const*>(x), V.size()), shaped(y, V.size()));
        },
        [&](auto* x, auto* y) { A.apply(R, shaped(static_cast<double const*>(x), V.size()), shaped(y, V.size())); });
  };
  constexpr index_t most = N == 2 ? 30000 : 10000;  // that the host numbers in seconds
  laplacian const one{t.backend(), box_mesh({1, 1, 1})};
  index_t const wanted = t.asked().check ? 100 : std::min(t.elements(double(one.work().bytes())), most);
  int cells = 2;
  auto hanging = hanging_box(cells);
  while (hanging.elements() < wanted) hanging = hanging_box(cells = cells * 5 / 4 + 1);
  auto const whole = bent_box(int(std::cbrt(double(hanging.elements()))));
  struct way {
    char const* what;
    bool masks;
    scatter policy;
  };
  auto const time = [&](auto const& box, auto const& few, std::vector<way> const& ways) {
    function_space const V{box, N, box.boundary()};
    laplacian const A{t.backend(), box};
    auto const x = on_device(t.backend(), random_numbers<double>(V.size()));
    buffer<double, device> y(t.backend(), x.size());
    if (index_t const some = V.hanging().masks().size(); some > 0)
      std::printf("%lld of %lld elements interpolate\n", static_cast<long long>(some),
                  static_cast<long long>(box.elements()));
    for (way const& of : ways) {
      auto equations = V.hanging();
      if (!of.masks) equations.set_masks({});
      restriction const R{t.backend(), V.table(), V.nodes(), V.marks(), equations, {.policy = of.policy}};
      t.time({of.what, N, 1, box.elements(), V.size() - R.constrained(), double(A.work().bytes()),
              double(A.work().flops), error_on(few, of.masks, of.policy)},
             [&] { A.apply(R, shaped(static_cast<double const*>(x.data()), V.size()), shaped(y.data(), V.size())); });
    }
  };
  time(hanging, hanging_box(2),
       {{"masks", true, scatter::deterministic},
        {"equations", false, scatter::deterministic},
        {"masks, atomic", true, scatter::atomic},
        {"equations, atomic", false, scatter::atomic}});
  time(whole, bent_box(2), {{"none hangs", true, scatter::deterministic}, {"none, atomic", true, scatter::atomic}});
}

template <int N>
void time_order(rows& t)
{
  options const& o = t.asked();
  if constexpr (N <= 6)
    if (o.wants("tetrahedra")) {
      time_tetrahedra<N, stored>(t, "tetrahedra"), time_tetrahedra<N, affine>(t, "affine");
      if constexpr (N >= 4) {
        time_tetrahedra<N, stored, in_teams_of<32>>(t, "tetrahedra of 32");
        time_tetrahedra<N, affine, in_teams_of<8>>(t, "affine of 8");
      }
      if constexpr (N >= 2) {
        // As many warps as have room for their sums in registers: 12, from degree 6 on 8.
        using of_16 = by_matrices < 16, N<6 ? 3 : 2>;
        using of_more = by_matrices < N < 6 ? 48 : 32, N<6 ? 2 : 1>;
        time_tetrahedra<N, stored, of_16>(t, "matrices of 16"), time_tetrahedra<N, affine, of_16>(t, "affine matrices");
        time_tetrahedra<N, stored, of_more>(t, N < 6 ? "matrices of 48" : "matrices of 32");
      }
    }
  if (o.wants("faces")) {
    time_faces<N, laplace, sip>(t, "faces", "DG laplace", "in one kernel");
    time_faces<N, two_sided::advection, two_sided::upwind>(t, nullptr, "advection", "adv., one kernel");
  }
  if constexpr (N == 2 || N == 4) {
    if (o.wants("sides")) time_sides<N>(t);
    if (o.wants("several")) time_several<N, 1>(t), time_several<N, 4>(t), time_several<N, 8>(t);
    if (o.wants("hanging")) time_hanging<N>(t);
  }
  if (o.wants("inputs")) time_inputs<N>(t);
}
template <int... N>
void time_all(rows& t, std::integer_sequence<int, N...>)
{
  (time_order<N>(t), ...);
}

int run(options const& o)
{
  device const backend;
  std::printf("%s\n", describe(backend).c_str());
  rows t(o, backend);
  time_all(t, std::integer_sequence<int, SUMFAC_CELLS_ORDERS>{});
  return 0;
}

}  // namespace

int main(int argc, char** argv)
{
  return command_line::main_of<options>(
      "cells", usage, argc, argv, with_sizes<options>({{"--check", &options::check}, {"--only", &options::only}}), run);
}
