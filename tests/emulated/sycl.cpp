// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Kernels, operators and solves on devices of SYCL's: ours of <sycl/sycl.hpp> beside this file; with the include path
// of another SYCL 2020 in front, on that.
#include <sycl/sycl.hpp>

#include "reversal.hpp"

#include <sumfac/backend/sycl.hpp>
#include <sumfac/form/weak.hpp>

using device_backend = sumfac::sycl;

#include <device/both_agree.hpp>
#include <operator/global_case.hpp>
#include <operator/own_forms.hpp>
#include <operator/policies.hpp>
#include <operator/ways.hpp>
#include <solver/solves.hpp>

#include <type_traits>

namespace {

using checks::refused, checks::agrees_by_way_on, checks::agrees_globally;
using sumfac::backend_error, sumfac::buffer, sumfac::index_t;

auto source()
{
  using namespace sumfac::weak;
  return integrate(exp(u) * dot(grad(u), grad(v)) + dot(x, grad(u)) * v);
}
template <class Backend>
using sources =
    sumfac::element_operator<decltype(source()), 2, sumfac::gauss<3>, Backend, double, sumfac::isoparametric<3>>;

::sycl::queue in_order() { return ::sycl::queue(::sycl::property_list{::sycl::property::queue::in_order()}); }

}  // namespace

TEST_CASE("sycl: it is a backend of devices")
{
  using namespace sumfac;  // its class and SYCL's namespace have one name: each is named in full then
  static_assert(std::is_constructible_v<sumfac::sycl, ::sycl::queue const&>);
  static_assert(sumfac::backend<sumfac::sycl> && sumfac::device_backend<sumfac::sycl>);
  static_assert(!sumfac::detail::graphs_of<sumfac::sycl>::exist && !sumfac::detail::counts_teams<sumfac::sycl>);
  CHECK(sumfac::check_backend<sumfac::sycl>());
  CHECK(sumfac::sycl().stream() == sumfac::sycl().stream());
  CHECK(sumfac::sycl().device() == sumfac::sycl().device());
}

TEST_CASE("sycl: teams of every size")
{
  teams_of_all_sizes(sumfac::sycl());
  std::vector<index_t> pieces;
  sumfac::detail::in_pieces(7, 3, [&](index_t first, index_t count) { pieces.insert(pieces.end(), {first, count}); });
  CHECK(pieces == std::vector<index_t>{0, 3, 3, 3, 6, 1});
}

TEST_CASE("sycl: E-vectors")
{
  sumfac::sycl const backend(in_order());
  agrees_by_way_on<checks::bp1, checks::wide_cubes, 2, double>(backend);
  agrees_by_way_on<checks::bp1, checks::early_cubes, 1, float>(backend);
  agrees_by_way_on<checks::bp3, checks::thick_slices, 2, double>(backend);
  agrees_by_way_on<checks::bp35, checks::wide_cubes, 2, double>(backend);
}

TEST_CASE("sycl: forms of users")
{
  auto const where = reference::gauss_lobatto(3);
  checks::agrees_with_oracle<sumfac::element_operator<checks::reaction, 2, sumfac::gauss<4>, sumfac::sycl>>(
      mesh::sampled(mesh::mapped(mesh::box({3, 2, 2}, where), mesh::smooth{}), 5), where, reference::on_gauss(2),
      checks::reaction_exact(1.5), {.k = 1.5});
  one_source::both_agree<sources>(source());
}

TEST_CASE("sycl: global vectors, and conjugate gradients")
{
  std::vector<mesh::counts> const two{{3, 1, 1}, {2, 2, 1}};
  agrees_globally<sumfac::bp5<2, sumfac::sycl>>(two, reference::collocated(2), reference::laplace());
  agrees_globally<sumfac::bp1<1, sumfac::sycl, float>>({{3, 1, 1}}, reference::on_gauss(1), reference::mass());
  checks::follows_the_oracle(checks::poisson<sumfac::bp5<2, sumfac::sycl>>());
}

TEST_CASE("sycl: what is of two queues, or of one out of order, is refused; so are graphs")
{
  refused([] { sumfac::sycl{::sycl::queue()}; }, {"sumfac::sycl: the queue is not in order", "in_order"});
  refused([] { sumfac::sycl().launch(reversal<8, 8>{nullptr}, -2); }, {"groups of a launch are negative (-2)"});
  auto const s = checks::poisson<sumfac::bp5<2, sumfac::sycl>>();
  auto const a = s.c.make();
  auto const r = s.c.restriction(), of_another = s.c.restriction({}, sumfac::sycl(in_order()));
  refused([&] { sumfac::global_operator{a, of_another}; }, {"queues its work on another stream than the operator"});
  auto const size = static_cast<index_t>(s.b.size());
  buffer<double, sumfac::sycl> memory(r.backend(), 2 * size);
  sumfac::view<double, sumfac::dextents<1>> const b(memory.data(), size), x(memory.data() + size, size);
  sumfac::global_operator const l{a, r};
  refused([&] { sumfac::cg(l, b, x, sumfac::no_preconditioner{}, {.graph = true}); },
          {"options.graph is set and the backend has no graphs"});
}

#if defined(SUMFAC_EMULATED_DEVICE)

TEST_CASE("emulated sycl: queues do their own work when they are waited for, and memory is freed behind it")
{
  sumfac::sycl const a(in_order()), b(in_order());
  std::vector<double> const ones(4, 1), twos(4, 2);
  std::vector<double> from_a(4), from_b(4);
  std::size_t const before = emulated::here().allocations();
  {
    buffer<double, sumfac::sycl> in_a(a, 4), in_b(b, 4);
    buffer<double, sumfac::sycl> const none(a, 0), nowhere;
    a.copy(ones.data(), in_a.data(), 4);
    b.copy(twos.data(), in_b.data(), 4);
    a.copy(static_cast<double const*>(in_a.data()), from_a.data(), 4);
    b.copy(static_cast<double const*>(in_b.data()), from_b.data(), 4);
    b.synchronize();
    CHECK(from_b == twos);
    CHECK(from_a == std::vector<double>(4));
    in_b = std::move(in_a);
    CHECK(emulated::here().allocations() == before + 1);
    CHECK(a.side_of(in_b.data()) == sumfac::detail::memory_side::device);
    CHECK(a.side_of(ones.data()) == sumfac::detail::memory_side::host);
  }
  CHECK(from_a == ones);
  CHECK(emulated::here().allocations() == before);
}

TEST_CASE("emulated sycl: errors have the call, the kernel and SYCL's own text")
{
  sumfac::sycl const backend(in_order());
  std::size_t const before = emulated::here().allocations();
  refused<backend_error>([&] { buffer<double, sumfac::sycl>(backend, index_t{1} << 40); },
                         {"sumfac::sycl: malloc_device failed (8796093022208 bytes)"});
  double number = 0;
  emulated::here().failing = "memset";
  refused<backend_error>([&] { buffer<double, sumfac::sycl>(backend, 4); }, {"memset failed (told to fail)"});
  CHECK(emulated::here().allocations() == before);
  emulated::here().failing = "memcpy";
  refused<backend_error>([&] { backend.copy(&number, &number, 1); }, {"sumfac::sycl: memcpy failed (told to fail)"});
  emulated::here().failing = "submit";
  refused<backend_error>([&] { backend.launch(reversal<8, 8>{nullptr}, 1); },
                         {"parallel_for failed (told to fail; ", "reversal"});
  emulated::here().failing = "kernel";  // of the default queue, whose handler throws
  refused<backend_error>([&] { sumfac::sycl().synchronize(); }, {"wait_and_throw failed (a kernel failed)"});
}

TEST_CASE("emulated sycl: a kernel that asks for more than the device has is refused with both numbers")
{
  sumfac::sycl const backend(in_order());
  auto const text = [&]<class Kernel>(Kernel const*, std::vector<char const*> const& words) {
    refused<backend_error>([&] { backend.prepare<Kernel>(); }, {words[0], words[1], "reversal"});
  };
  text(static_cast<reversal<8, 10000>*>(nullptr), {"more bytes of scratch", "80000 needed, 65536 there"});
  auto const usual = emulated::sizes;
  emulated::sizes.work_items = 16;
  text(static_cast<reversal<32, 32>*>(nullptr), {"more threads", "32 needed, 16 there"});
  emulated::sizes = usual;
  emulated::sizes.parameters = 8;
  text(static_cast<reversal<8, 8>*>(nullptr), {"more bytes of parameters", "24 needed, 8 there"});
  emulated::sizes = usual;
  backend.prepare<reversal<8, 8>>();
  CHECK(backend.name() == "emulated device 0");
  sumfac::sycl const without_doubles(
      ::sycl::queue(::sycl::device(1), ::sycl::property_list{::sycl::property::queue::in_order()}));
  refused<backend_error>([&] { without_doubles.prepare<reversal<8, 8>>(); },
                         {"units for doubles", "1 needed, 0 there"});
}

#endif
