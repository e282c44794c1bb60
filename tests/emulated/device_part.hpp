// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A process' share of a mesh with an operator on an emulated device, and vectors there.
#pragma once

#include "device.hpp"

#include <sumfac/backend/buffer.hpp>
#include <sumfac/backend/detail/memory.hpp>
#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/backend/hip.hpp>
#include <sumfac/dofs/restriction.hpp>
#include <sumfac/interop/mpi.hpp>
#include <sumfac/view/view.hpp>

#include <interop/shares.hpp>

#include <cstdint>
#include <vector>

namespace {

using namespace shares;

inline sumfac::buffer<double, sumfac::hip> on_device(sumfac::hip const& gpu, std::vector<double> const& numbers)
{
  sumfac::detail::own_vector<double> copy;
  for (double const x : numbers) copy.push_back(x);
  return sumfac::detail::upload<double>(gpu, copy);
}

template <class Memory>
auto vector_on(Memory& memory)
{
  return sumfac::view<double, sumfac::dextents<1>>(memory.data(), memory.size());
}

// Its halo is made of what comes last, and of owners and numbers.
template <class OnHost, class OnDevice, class Halo = sumfac::mpi::halo>
struct device_part {
  template <class... First>
  device_part(way how, int rank, int count, sumfac::restriction_options const& options, sumfac::hip const& on = {},
              First const&... first)
      : p(how, rank, count, options),
        gpu(on),
        A(gpu, p.nodes()),
        R(gpu, numbers(), p.s.nodes(),
          sumfac::view<unsigned char const, sumfac::dextents<2>>(p.own_marks.data(), p.s.nodes(), OnHost::components),
          p.options),
        halo(MPI_COMM_WORLD, first..., p.owners(), p.numbers())
  {
  }
  auto numbers() const
  {
    constexpr int n = OnHost::order + 1;
    using shape = sumfac::extents<sumfac::dynamic_extent, n, n, n>;
    return sumfac::view<std::int64_t const, shape>(p.s.numbers.table.data(), p.s.numbers.elements);
  }

  problem<OnHost> p;
  sumfac::hip gpu;
  OnDevice A;
  sumfac::restriction<double, sumfac::hip> R;
  Halo halo;
};

}  // namespace
