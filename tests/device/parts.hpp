// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Operators' element kernels inside a kernel of the test's own, beside the operators' launches. `device_backend` is the
// backend that the including file names.
#pragma once

#include <sumfac/operator/apply_element.hpp>

#include <operator/element_parts.hpp>

namespace device_parts {

// Blocks go through all groups and use their memory again and again.
template <int Threads, class Block, class Part>
__global__ void every_group(SUMFAC_GRID_CONSTANT Part const part, int blocks)
{
  for (sumfac::index_t g = blockIdx.x; g < part.groups; g += blocks)
    sumfac::device::apply_element<Threads>(Block{}, part, Block::memory(), g);
}

// Then w = v, backwards: each thread reads what others have written.
template <class Part>
__global__ void backwards(SUMFAC_GRID_CONSTANT Part const part, double const* v, double* w, int size)
{
  using block = sumfac::device::block;
  for (sumfac::index_t g = blockIdx.x; g < part.groups; ++g) {
    sumfac::device::apply_element(block{}, part, block::memory(), g);
    int const all = size * Part::elements, first = static_cast<int>(g) * all;
    for (int i = block{}.thread_rank(); i < all; i += block{}.size()) w[first + i] = v[first + all - 1 - i];
  }
}

// In blocks of `more` threads more than work; where Block is void, in blocks of the very threads that it has.
template <int Threads, class Block = sumfac::device::block>
struct launched {
  int more = 0;

  template <class Part>
  void operator()(device_backend const& backend, Part const& part) const
  {
    using runtime = device_backend::runtime;
    constexpr int working = Threads > 0 ? Threads : Part::threads, blocks = 1;
    using block = std::conditional_t<std::is_void_v<Block>, sumfac::device::block_of<working>, Block>;
    auto* const function = every_group<Threads, block, Part>;
    runtime::launch(function, blocks, working + more, Part::scratch_bytes, backend.stream(), part, blocks);
    CHECK(runtime::last_error() == runtime::success);
    backend.synchronize();
  }
};

template <class Operator>
void by_any_blocks()
{
  checks::parts_agree<Operator>(launched<0>{});
  checks::parts_agree<Operator>(launched<0>{13});
  checks::parts_agree<Operator>(launched<7>{});
  checks::parts_agree<Operator>(launched<0, void>{});
}

inline constexpr sumfac::tuning slices{.way = sumfac::variant::slices, .elements = 2, .planes = 3};
using in_slices = sumfac::element_operator<sumfac::stiffness, 2, device_backend, sumfac::tuned<slices>>;
inline constexpr sumfac::tuning cubes{.elements = 4, .padding = 1, .ahead = sumfac::prefetch::cache};
using in_cubes =
    sumfac::element_operator<sumfac::stiffness, 2, device_backend, sumfac::trilinear, sumfac::tuned<cubes>>;

inline constexpr sumfac::tuning one_element{};
using cubes_of_one = sumfac::element_operator<sumfac::stiffness, 2, device_backend, sumfac::tuned<one_element>>;

// (In a function that is no template nvcc 13 has no name for the part's type.)
template <class Part>
void launch_backwards(Part const& part, double const* v, double* w, int size)
{
  using runtime = device_backend::runtime;
  device_backend const backend;
  runtime::launch(backwards<Part>, 1, Part::threads, Part::scratch_bytes, backend.stream(), part, v, w, size);
  CHECK(runtime::last_error() == runtime::success);
  backend.synchronize();
}

}  // namespace device_parts

TEST_CASE("device: element kernels in a kernel of one's own")
{
  device_parts::by_any_blocks<sumfac::bp1<3, device_backend>>();
  device_parts::by_any_blocks<sumfac::bp35<2, device_backend, float>>();
  device_parts::by_any_blocks<device_parts::in_slices>();
  device_parts::by_any_blocks<device_parts::in_cubes>();
  device_parts::by_any_blocks<sumfac::bp4<1, device_backend>>();
}

TEST_CASE("device: what an element kernel wrote is seen by all threads of the group")
{
  checks::part_case<device_parts::cubes_of_one> const c;
  constexpr int size = 27;
  auto v = c.u, w = c.u;
  device_backend const backend;
  support::on_backend(backend, c.u, v, [&](double const* from, double* to) {
    auto const part = sumfac::device::part_of(c.a, c.on_elements(from), c.on_elements(to));
    support::on_backend(backend, w, [&](double* turned) { device_parts::launch_backwards(part, to, turned, size); });
  });
  bool same = true;
  for (std::size_t i = 0; i < v.size(); ++i) same = same && w[i] == v[i / size * size + size - 1 - i % size];
  CHECK(same);
  CHECK(v != c.u);
}
