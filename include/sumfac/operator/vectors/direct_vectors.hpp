// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How a team of one element reads u and writes v, E-vectors: straight from and to global memory.
#pragma once

#include <sumfac/geometry/vectors/element_vector.hpp>
#include <sumfac/operator/vectors/footprint.hpp>

namespace sumfac::inline SUMFAC_TARGET {

// u and v of one element.
template <class Scalar>
struct direct_vectors {
  element_vector<Scalar const> u;
  element_vector<Scalar> v;
  footprint size = footprint::in_memory;  // all the same to devices

  template <class Team>
  struct scratch {
  };

  template <class T>
  struct nodes_of_element {
    T* first;
    index_t stride_c, stride_k, stride_j, stride_i;
    SUMFAC_INLINE T& operator()(int c, int k, int j, int i) const
    {
      return first[c * stride_c + k * stride_k + j * stride_j + i * stride_i];
    }
  };

  template <class Team>
  SUMFAC_INLINE auto fetch(Team const&, scratch<Team>&, index_t e) const
  {
    return nodes_of_element<Scalar const>{u.data + u.offset(e), u.stride_c, u.stride_k, u.stride_j, u.stride_i};
  }

  template <class Team>
  SUMFAC_INLINE auto result(Team const&, scratch<Team>&, index_t e) const
  {
    return nodes_of_element<Scalar>{v.data + v.offset(e), v.stride_c, v.stride_k, v.stride_j, v.stride_i};
  }

  template <class Team>
  SUMFAC_INLINE void finish_row(Team const&, scratch<Team>&, index_t, int, int, int) const
  {
  }
  template <class Team>
  SUMFAC_INLINE void finish(Team const&, scratch<Team>&, index_t) const
  {
  }

  // The threads in flight hide the memory's latency.
  static constexpr int lines_ahead = 0;
};

}  // namespace sumfac
