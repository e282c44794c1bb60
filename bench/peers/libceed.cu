// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Bake-off kernels of libCEED and of sumfac on a CUDA device, in turns: y = A x on global vectors of the same mesh with
// the same numbering and with six factors (mass: one) stored at each point, from one process and one stream. libCEED
// adds atomically; sumfac does so as well, and with sums that have the same bits in every run: of elements' slots, and
// of patches of 8 and 64 elements where a team's scratch holds them.
#include "../gpu/device.hpp"
#include "../gpu/size_options.hpp"
#include "../report/timing.hpp"
#include "../streams/passes.hpp"
#include "../subjects/problems.hpp"

#include <sumfac/operator/bake_off.hpp>
#include <sumfac/operator/global_operator.hpp>

#include <ceed.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#if !defined(SUMFAC_PEER_ORDERS)
#define SUMFAC_PEER_ORDERS 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
#endif

namespace {

using namespace sumfac;
using namespace sumfac::bench;

char const* const usage =
    R"(usage: libceed [--orders LIST] [--ceed NAME] [--headers FOLDER] [--largest N] [--seconds S] [--out FILE]

--orders   of those that it is compiled for (SUMFAC_PEER_ORDERS)
--ceed     libCEED's resource (default /gpu/cuda/gen)
--headers  of libCEED, which it compiles kernels with, where they are not in the folder that it was built in
--largest  unknowns (default 8000000)
--seconds  of timing per problem and degree (default 0.1)
)";

struct options : size_options {
  options() : size_options{.largest = 8'000'000} {}
  std::string resource = "/gpu/cuda/gen", headers;
};

void require(int error, char const* call)
{
  if (error != CEED_ERROR_SUCCESS) throw std::runtime_error(std::string(call) + " ended with " + std::to_string(error));
}
#define SUMFAC_CEED(call) require(call, #call)

// What a problem is to libCEED: names of its gallery, and whether points are nodes.
struct bp1_words {
  static constexpr char const *name = "BP1", *build = "Mass3DBuild", *apply = "MassApply", *in = "u", *out = "v";
  static constexpr bool collocated = false, differentiates = false;
  template <int N, class... Tuned>
  using kernel = element_operator<mass, N, gauss<N + 2>, device, Tuned...>;
};
struct bp3_words {
  static constexpr char const *name = "BP3", *build = "Poisson3DBuild", *apply = "Poisson3DApply", *in = "du",
                              *out = "dv";
  static constexpr bool collocated = false, differentiates = true;
  template <int N, class... Tuned>
  using kernel = element_operator<laplace, N, gauss<N + 2>, device, Tuned...>;
};
struct bp5_words : bp3_words {
  static constexpr char const* name = "BP5";
  static constexpr bool collocated = true;
  template <int N, class... Tuned>
  using kernel = element_operator<laplace, N, gauss_lobatto<N + 1>, device, Tuned...>;
};

// libCEED's operator on a box, with its vectors.
template <class Words>
class ceed_operator {
public:
  ceed_operator(options const& o, int order, box_of_elements const& box, std::vector<double> const& corners,
                std::vector<double> const& x)
  {
    int const n = order + 1, g = Words::collocated ? n : n + 1;
    auto const elements = static_cast<CeedInt>(box.elements), dofs = static_cast<CeedInt>(box.nodes);
    CeedInt const points = g * g * g, factors = Words::differentiates ? 6 : 1;
    CeedQuadMode const rule = Words::collocated ? CEED_GAUSS_LOBATTO : CEED_GAUSS;
    SUMFAC_CEED(CeedInit(o.resource.c_str(), &ceed_));
    if (!o.headers.empty()) SUMFAC_CEED(CeedAddJitSourceRoot(ceed_, (o.headers + "/").c_str()));
    CeedBasis mesh_basis, basis;
    SUMFAC_CEED(CeedBasisCreateTensorH1Lagrange(ceed_, 3, 3, 2, g, rule, &mesh_basis));
    SUMFAC_CEED(CeedBasisCreateTensorH1Lagrange(ceed_, 3, 1, n, g, rule, &basis));
    CeedElemRestriction to_corners, to_nodes, to_factors;
    CeedInt const of_corners[] = {3, 1, 24}, of_factors[] = {1, elements * points, points};
    SUMFAC_CEED(
        CeedElemRestrictionCreateStrided(ceed_, elements, 8, 3, elements * CeedSize{24}, of_corners, &to_corners));
    SUMFAC_CEED(CeedElemRestrictionCreateStrided(ceed_, elements, points, factors,
                                                 CeedSize{elements} * points * factors, of_factors, &to_factors));
    SUMFAC_CEED(CeedElemRestrictionCreate(ceed_, elements, n * n * n, 1, 1, dofs, CEED_MEM_HOST, CEED_COPY_VALUES,
                                          box.numbers.data(), &to_nodes));
    CeedVector mesh, q_data;
    SUMFAC_CEED(CeedVectorCreate(ceed_, elements * CeedSize{24}, &mesh));
    SUMFAC_CEED(CeedVectorSetArray(mesh, CEED_MEM_HOST, CEED_COPY_VALUES, const_cast<double*>(corners.data())));
    SUMFAC_CEED(CeedVectorCreate(ceed_, CeedSize{elements} * points * factors, &q_data));
    CeedQFunction of_build, of_apply;
    SUMFAC_CEED(CeedQFunctionCreateInteriorByName(ceed_, Words::build, &of_build));
    SUMFAC_CEED(CeedQFunctionCreateInteriorByName(ceed_, Words::apply, &of_apply));
    CeedOperator build;
    SUMFAC_CEED(CeedOperatorCreate(ceed_, of_build, CEED_QFUNCTION_NONE, CEED_QFUNCTION_NONE, &build));
    SUMFAC_CEED(CeedOperatorSetField(build, "dx", to_corners, mesh_basis, CEED_VECTOR_ACTIVE));
    SUMFAC_CEED(CeedOperatorSetField(build, "weights", CEED_ELEMRESTRICTION_NONE, mesh_basis, CEED_VECTOR_NONE));
    SUMFAC_CEED(CeedOperatorSetField(build, "qdata", to_factors, CEED_BASIS_NONE, CEED_VECTOR_ACTIVE));
    SUMFAC_CEED(CeedOperatorApply(build, mesh, q_data, CEED_REQUEST_IMMEDIATE));
    SUMFAC_CEED(CeedOperatorCreate(ceed_, of_apply, CEED_QFUNCTION_NONE, CEED_QFUNCTION_NONE, &operator_));
    SUMFAC_CEED(CeedOperatorSetField(operator_, Words::in, to_nodes, basis, CEED_VECTOR_ACTIVE));
    SUMFAC_CEED(CeedOperatorSetField(operator_, "qdata", to_factors, CEED_BASIS_NONE, q_data));
    SUMFAC_CEED(CeedOperatorSetField(operator_, Words::out, to_nodes, basis, CEED_VECTOR_ACTIVE));
    SUMFAC_CEED(CeedVectorCreate(ceed_, dofs, &x_));
    SUMFAC_CEED(CeedVectorCreate(ceed_, dofs, &y_));
    SUMFAC_CEED(CeedVectorSetArray(x_, CEED_MEM_HOST, CEED_COPY_VALUES, const_cast<double*>(x.data())));
    SUMFAC_CEED(CeedVectorSetValue(y_, 0));
    // What operators hold on to stays.
    CeedOperatorDestroy(&build);
    CeedQFunctionDestroy(&of_build);
    CeedQFunctionDestroy(&of_apply);
    CeedElemRestrictionDestroy(&to_corners);
    CeedElemRestrictionDestroy(&to_nodes);
    CeedElemRestrictionDestroy(&to_factors);
    CeedBasisDestroy(&mesh_basis);
    CeedBasisDestroy(&basis);
    CeedVectorDestroy(&mesh);
    CeedVectorDestroy(&q_data);
  }
  ceed_operator(ceed_operator const&) = delete;
  ceed_operator& operator=(ceed_operator const&) = delete;
  ~ceed_operator()
  {
    CeedOperatorDestroy(&operator_);
    CeedVectorDestroy(&x_);
    CeedVectorDestroy(&y_);
    CeedDestroy(&ceed_);
  }

  void apply() { SUMFAC_CEED(CeedOperatorApply(operator_, x_, y_, CEED_REQUEST_IMMEDIATE)); }

  std::vector<double> result()
  {
    CeedSize size;
    double const* y;
    SUMFAC_CEED(CeedVectorGetLength(y_, &size));
    SUMFAC_CEED(CeedVectorGetArrayRead(y_, CEED_MEM_HOST, &y));
    std::vector<double> const values(y, y + size);
    SUMFAC_CEED(CeedVectorRestoreArrayRead(y_, &y));
    return values;
  }

private:
  Ceed ceed_ = nullptr;
  CeedOperator operator_ = nullptr;
  CeedVector x_ = nullptr, y_ = nullptr;
};

// One way of ours: an operator and a restriction for it.
struct way {
  std::string name;
  std::function<void()> apply;
  std::vector<double> seconds;
};

struct measurement {
  char const* problem;
  int order;
  index_t elements, dofs;
  double error, theirs;
  std::vector<std::pair<std::string, double>> ours;  // seconds; deterministic, atomic, and patches as there are

  json_object json() const
  {
    json_object row;
    row("problem", problem)("order", order)("elements", elements)("dofs", dofs)("difference", error);
    row("libceed_seconds", theirs)("libceed_GDOF/s", double(dofs) / theirs * 1e-9);
    for (auto const& [name, seconds] : ours) {
      std::string const tail = name == "deterministic" ? "" : "_" + name;
      row("sumfac" + tail + "_seconds", seconds)("ratio" + tail, theirs / seconds);
      row("sumfac" + tail + "_GDOF/s", double(dofs) / seconds * 1e-9);
    }
    return row;
  }
};

// The largest difference over the largest value.
double difference(std::vector<double> const& a, std::vector<double> const& b)
{
  double largest = 0, scale = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    double const d = std::abs(a[i] - b[i]);
    largest = d <= largest ? largest : d == d ? d : HUGE_VAL;
    scale = std::max(scale, std::abs(a[i]));
  }
  return largest / scale;
}

// What all problems of a degree have in common, on a device.
struct common {
  common(options const& o, int order)
      : log_elements(log_of(o.largest, order)),
        box(log_elements, order),
        corners(corners_of(log_elements)),
        x(random_numbers<double>(box.nodes)),
        x_there(on_device(backend, x)),
        y_there(backend, box.nodes)
  {
  }

  auto mesh() const { return view<double const, dextents<5>>(corners.data(), box.elements, 2, 2, 2, 3); }
  restriction<double, device> made(restriction_options const& options) const
  {
    return {backend, box.table(), box.nodes, options};
  }

  int log_elements;
  box_of_elements box;
  std::vector<double> corners, x;
  device backend;
  buffer<double, device> x_there, y_there;
  restriction<double, device> slots = made({}), atomic = made({.policy = scatter::atomic}),
                              patches_8 = made({.patch = 8}), patches_64 = made({.patch = 64});

private:
  static int log_of(index_t largest, int order)
  {
    int log = 0;
    while ((index_t{2} << log) * order * order * order <= largest) ++log;
    return log;
  }
};

// The tuning of a kernel with patches of so many elements, without any where a team does not hold them.
template <class Kernel>
constexpr tuning with_patches(int patch, int n, int g)
{
  if (patch * n * n * n >= 1 << 16) return Kernel::tuned;
  return sumfac::detail::with_patches<typename Kernel::form_type>(Kernel::tuned, device::built_for, patch, n, g, 8);
}

// Our ways, the first one of slots.
template <class Words, int Order>
std::vector<way> ways_of(common& c)
{
  using kernel = typename Words::template kernel<Order>;
  constexpr int n = Order + 1, g = Words::collocated ? n : n + 1;
  std::vector<way> ways;
  auto const add = [&](std::string const& name, auto const& a, auto const& r) {
    auto const xv = view(c.x_there.data(), c.box.nodes), yv = view(c.y_there.data(), c.box.nodes);
    ways.push_back({name, [a, &r, xv, yv] { a->apply(r, xv, yv); }, {}});
  };
  auto const add_patches = [&]<tuning Value>(std::string const& name, tuned<Value>, auto const& r) {
    if constexpr (Value.patch > 0) {
      using patched = typename Words::template kernel<Order, tuned<Value>>;
      add(name, std::make_shared<patched>(c.backend, c.mesh()), r);
    }
  };
  auto const plain = std::make_shared<kernel>(c.backend, c.mesh());
  add("deterministic", plain, c.slots);
  add("atomic", plain, c.atomic);
  if constexpr (Order <= 7) add_patches("patches_8", tuned<with_patches<kernel>(8, n, g)>{}, c.patches_8);
  if constexpr (Order <= 4) add_patches("patches_64", tuned<with_patches<kernel>(64, n, g)>{}, c.patches_64);
  return ways;
}

// Those of our ways that are right: what is wrong with another is printed and counted.
template <class Words>
int check(std::vector<way>& ways, common const& c, std::vector<double> const& expected, measurement& m)
{
  int failures = 0;
  std::vector<way> right;
  for (auto& each : ways) {
    each.apply();
    auto const first = on_host(c.backend, c.y_there);
    double const error = difference(first, expected);
    each.apply();
    bool const same = each.name == "atomic" || on_host(c.backend, c.y_there) == first;
    if (error <= 1e-11 && same) {
      m.error = std::max(m.error, error);
      right.push_back(std::move(each));
      continue;
    }
    std::printf("FAILED %s N %d: %s differs by %.1e%s\n", Words::name, m.order, each.name.c_str(), error,
                same ? "" : ", and has other bits in a second run");
    ++failures;
  }
  ways = std::move(right);
  return failures;
}

template <class Words, int Order>
int measure(options const& o, common& c, measurement& m)
{
  ceed_operator<Words> theirs(o, Order, c.box, c.corners, c.x);
  auto const apply_theirs = [&] { theirs.apply(); };
  apply_theirs();
  auto ways = ways_of<Words, Order>(c);
  int const failures = check<Words>(ways, c, theirs.result(), m);
  if (ways.empty()) return failures;
  int const count = std::max(1, static_cast<int>(5e-3 / seconds_of(c.backend, 3, ways[0].apply)));
  static_cast<void>(seconds_of(c.backend, count, apply_theirs));
  std::vector<double> of_theirs;
  for (double spent = 0; spent < o.seconds || of_theirs.size() < 5;) {
    of_theirs.push_back(seconds_of(c.backend, count, apply_theirs));
    spent += count * of_theirs.back();
    for (auto& each : ways) {
      each.seconds.push_back(seconds_of(c.backend, count, each.apply));
      spent += count * each.seconds.back();
    }
  }
  m.theirs = median(of_theirs);
  for (auto const& each : ways) m.ours.push_back({each.name, median(each.seconds)});
  return failures;
}

template <class Words, int Order>
int measure_and_print(options const& o, common& c, std::vector<json_object>& rows)
{
  int failures = 0;
  try {
    measurement m{Words::name, Order, c.box.elements, c.box.nodes, 0, 0, {}};
    failures = measure<Words, Order>(o, c, m);
    auto const rate = [&](double seconds) { return double(m.dofs) / seconds * 1e-9; };
    if (!m.ours.empty()) {
      std::printf("%s N %2d  E %lld  %lld dofs  sumfac %.3f ms %.2f GDOF/s  libCEED %.3f ms %.2f GDOF/s  ratio %.2f",
                  m.problem, Order, static_cast<long long>(m.elements), static_cast<long long>(m.dofs),
                  m.ours[0].second * 1e3, rate(m.ours[0].second), m.theirs * 1e3, rate(m.theirs),
                  m.theirs / m.ours[0].second);
      for (std::size_t i = 1; i < m.ours.size(); ++i)
        std::printf("  %s %.3f ms, ratio %.2f", m.ours[i].first.c_str(), m.ours[i].second * 1e3,
                    m.theirs / m.ours[i].second);
      std::printf("  difference %.1e\n", m.error);
      rows.push_back(m.json());
    }
    if (!o.out.empty()) json_file()("context", context(device())("resource", o.resource))("runs", rows).write(o.out);
  } catch (std::exception const& error) {
    std::printf("FAILED %s N %d: %s\n", Words::name, Order, error.what());
    ++failures;
  }
  std::fflush(stdout);
  return failures;
}

template <int Order>
int measure_order(options const& o, std::vector<json_object>& rows)
{
  if (!command_line::listed(o.orders, Order)) return 0;
  common c(o, Order);
  return measure_and_print<bp5_words, Order>(o, c, rows) + measure_and_print<bp3_words, Order>(o, c, rows) +
         measure_and_print<bp1_words, Order>(o, c, rows);
}

template <int... Orders>
int measure_all(options const& o, order_list<Orders...>)
{
  std::vector<json_object> rows;
  return (measure_order<Orders>(o, rows) + ... + 0);
}

int run(options const& o)
{
  std::printf("%s\n", describe(device()).c_str());
  int const failures = measure_all(o, order_list<SUMFAC_PEER_ORDERS>{});
  return failures == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv)
{
  return command_line::main_of<options>(
      "libceed", usage, argc, argv,
      with_sizes<options>({{"--ceed", &options::resource}, {"--headers", &options::headers}}), run);
}
