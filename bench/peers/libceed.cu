// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Bake-off kernels of libCEED and of sumfac on a CUDA device, in turns: y = A x on global vectors of the same mesh with
// the same numbering and with six factors (mass: one) stored at each point, from one process and one stream. libCEED
// adds atomically; sumfac does so as well, and with sums that have the same bits in every run.
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
#include <stdexcept>
#include <string>
#include <vector>

#if !defined(SUMFAC_PEER_ORDERS)
#define SUMFAC_PEER_ORDERS 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
#endif

namespace {

using namespace sumfac;
using namespace sumfac::bench;

char const* const usage = R"(usage: libceed [--orders LIST] [--ceed NAME] [--largest N] [--seconds S] [--out FILE]

--orders   of those that it is compiled for (SUMFAC_PEER_ORDERS)
--ceed     libCEED's resource (default /gpu/cuda/gen)
--largest  unknowns (default 8000000)
--seconds  of timing per problem and degree (default 0.1)
)";

struct options : size_options {
  options() : size_options{.largest = 8'000'000} {}
  std::string resource = "/gpu/cuda/gen";
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
  template <int N>
  using kernel = element_operator<mass, N, gauss<N + 2>, device>;
};
struct bp3_words {
  static constexpr char const *name = "BP3", *build = "Poisson3DBuild", *apply = "Poisson3DApply", *in = "du",
                              *out = "dv";
  static constexpr bool collocated = false, differentiates = true;
  template <int N>
  using kernel = element_operator<laplace, N, gauss<N + 2>, device>;
};
struct bp5_words : bp3_words {
  static constexpr char const* name = "BP5";
  static constexpr bool collocated = true;
  template <int N>
  using kernel = element_operator<laplace, N, gauss_lobatto<N + 1>, device>;
};

// libCEED's operator on a box, with its vectors.
template <class Words>
class ceed_operator {
public:
  ceed_operator(std::string const& resource, int order, box_of_elements const& box, std::vector<double> const& corners,
                std::vector<double> const& x)
  {
    int const n = order + 1, g = Words::collocated ? n : n + 1;
    auto const elements = static_cast<CeedInt>(box.elements), dofs = static_cast<CeedInt>(box.nodes);
    CeedInt const points = g * g * g, factors = Words::differentiates ? 6 : 1;
    CeedQuadMode const rule = Words::collocated ? CEED_GAUSS_LOBATTO : CEED_GAUSS;
    SUMFAC_CEED(CeedInit(resource.c_str(), &ceed_));
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

struct measurement {
  char const* problem;
  int order;
  index_t elements, dofs;
  double error, ours, atomic, theirs;

  json_object json() const
  {
    json_object row;
    row("problem", problem)("order", order)("elements", elements)("dofs", dofs)("difference", error);
    row("sumfac_seconds", ours)("sumfac_atomic_seconds", atomic)("libceed_seconds", theirs);
    row("ratio", theirs / ours)("ratio_atomic", theirs / atomic);
    return row("sumfac_GDOF/s", double(dofs) / ours * 1e-9)("libceed_GDOF/s", double(dofs) / theirs * 1e-9);
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

template <class Words, int Order>
measurement measure(options const& o)
{
  int log_elements = 0;
  while ((index_t{2} << log_elements) * Order * Order * Order <= o.largest) ++log_elements;
  box_of_elements const box(log_elements, Order);
  auto const corners = corners_of(log_elements);
  auto const x = random_numbers<double>(box.nodes);
  device const backend;
  typename Words::template kernel<Order> const a(
      backend, view<double const, dextents<5>>(corners.data(), box.elements, 2, 2, 2, 3));
  restriction<double, device> const r(backend, box.table(), box.nodes);
  restriction<double, device> const adding(backend, box.table(), box.nodes, {.policy = scatter::atomic});
  auto const x_there = on_device(backend, x);
  buffer<double, device> y_there(backend, box.nodes);
  auto const xv = view(x_there.data(), box.nodes);
  auto const yv = view(y_there.data(), box.nodes);
  ceed_operator<Words> theirs(o.resource, Order, box, corners, x);
  auto const apply_ours = [&] { a.apply(r, xv, yv); };
  auto const apply_adding = [&] { a.apply(adding, xv, yv); };
  auto const apply_theirs = [&] { theirs.apply(); };
  apply_ours();
  apply_theirs();
  measurement m{Words::name, Order, box.elements, box.nodes, difference(on_host(backend, y_there), theirs.result())};
  apply_adding();
  m.error = std::max(m.error, difference(on_host(backend, y_there), theirs.result()));
  if (!(m.error <= 1e-11)) throw std::runtime_error("the results differ by " + std::to_string(m.error));
  int const count = std::max(1, static_cast<int>(5e-3 / seconds_of(backend, 3, apply_ours)));
  static_cast<void>(seconds_of(backend, count, apply_theirs));
  std::vector<double> of_ours, of_adding, of_theirs;
  for (double spent = 0; spent < o.seconds || of_ours.size() < 5;) {
    of_ours.push_back(seconds_of(backend, count, apply_ours));
    of_adding.push_back(seconds_of(backend, count, apply_adding));
    of_theirs.push_back(seconds_of(backend, count, apply_theirs));
    spent += count * (of_ours.back() + of_adding.back() + of_theirs.back());
  }
  m.ours = median(of_ours);
  m.atomic = median(of_adding);
  m.theirs = median(of_theirs);
  return m;
}

template <class Words, int Order>
int measure_and_print(options const& o, std::vector<json_object>& rows)
{
  if (!command_line::listed(o.orders, Order)) return 0;
  try {
    auto const m = measure<Words, Order>(o);
    std::printf(
        "%s N %2d  E %lld  %lld dofs  sumfac %.3f ms %.2f GDOF/s  libCEED %.3f ms %.2f GDOF/s  ratio %.2f  "
        "atomic %.3f ms, ratio %.2f  difference %.1e\n",
        m.problem, Order, static_cast<long long>(m.elements), static_cast<long long>(m.dofs), m.ours * 1e3,
        double(m.dofs) / m.ours * 1e-9, m.theirs * 1e3, double(m.dofs) / m.theirs * 1e-9, m.theirs / m.ours,
        m.atomic * 1e3, m.theirs / m.atomic, m.error);
    rows.push_back(m.json());
    if (!o.out.empty()) json_file()("context", context(device())("resource", o.resource))("runs", rows).write(o.out);
  } catch (std::exception const& error) {
    std::printf("FAILED %s N %d: %s\n", Words::name, Order, error.what());
    std::fflush(stdout);
    return 1;
  }
  std::fflush(stdout);
  return 0;
}

template <int... Orders>
int measure_all(options const& o, order_list<Orders...>)
{
  std::vector<json_object> rows;
  return ((measure_and_print<bp5_words, Orders>(o, rows) + measure_and_print<bp3_words, Orders>(o, rows) +
           measure_and_print<bp1_words, Orders>(o, rows)) +
          ... + 0);
}

bool set(options& o, std::string const& name, std::string const& value)
{
  if (name != "--ceed") return set_size_option(o, name, value);
  o.resource = value;
  return true;
}

int run(options const& o)
{
  std::printf("%s\n", describe(device()).c_str());
  int const failures = measure_all(o, order_list<SUMFAC_PEER_ORDERS>{});
  return failures == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return command_line::main_of<options>("libceed", usage, argc, argv, set, run); }
