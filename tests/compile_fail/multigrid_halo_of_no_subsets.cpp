// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Levels on parts of a mesh whose halo cannot say which nodes a lower degree has.
// expect: sumfac::p_levels: the halo has no number(node) and subset(chosen), as sumfac::mpi::halo has
#include <sumfac/interop/distributed_levels.hpp>
#include <sumfac/operator/bake_off.hpp>

template <class Scalar, class Backend>
struct no_exchange;

struct halo {
  template <class Scalar, class Backend>
  using exchange = no_exchange<Scalar, Backend>;
  sumfac::index_t owned() const { return 0; }
  sumfac::index_t ghosts() const { return 0; }
  sumfac::reduction reduction() const { return {}; }
  void agree(char const*, char const*) const {}
#if defined(SUMFAC_FITS)
  sumfac::index_t number(sumfac::index_t node) const { return node; }
  template <class Chosen>
  halo subset(Chosen const&) const
  {
    return {};
  }
#endif
};

template <class Scalar, class Backend>
struct no_exchange {
  no_exchange(halo const&, Backend const&, int, sumfac::interleaving) {}
  void begin_update(Scalar const*, Scalar*) {}
  void end_update(Scalar const*, Scalar*) {}
  void begin_add(Scalar const*, Scalar*) {}
  void end_add(Scalar const*, Scalar*) {}
  void progress() {}
};

void make(sumfac::distributed<sumfac::bp5<2>, sumfac::restriction<>, halo> const& L,
          sumfac::view<double const, sumfac::dextents<5>> nodes)
{
  static_cast<void>(sumfac::p_levels<2, 1>(L, nodes));
}
