// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Schwarz's subdomains with overlap on parts of a mesh.
// expect: sumfac::schwarz: subdomains with an overlap reach over processes: on parts of a mesh take sumfac::schwarz<0>
#include <sumfac/interop/distributed_schwarz.hpp>
#include <sumfac/operator/bake_off.hpp>

// A halo of one process, without ghosts.
struct alone {
  template <class Scalar, class Backend>
  struct exchange {
    exchange(alone const&, Backend const&, int, sumfac::interleaving) {}
    void begin_update(Scalar const*, Scalar*) {}
    void end_update(Scalar const*, Scalar*) {}
    void begin_add(Scalar const*, Scalar*) {}
    void end_add(Scalar const*, Scalar*) {}
    void progress() {}
  };
  sumfac::index_t owned() const { return 0; }
  sumfac::index_t ghosts() const { return 0; }
  sumfac::reduction reduction() const { return {}; }
  void agree(char const*, char const*) const {}
};

using matrix = sumfac::distributed<sumfac::bp5<2>, sumfac::restriction<>, alone>;

#if defined(SUMFAC_FITS)
constexpr int overlap = 0;
#else
constexpr int overlap = 1;
#endif
constexpr auto size = sizeof(sumfac::schwarz_preconditioner<matrix, overlap>);
