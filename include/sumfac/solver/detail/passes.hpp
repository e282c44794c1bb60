// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// One pass over vectors: a body called for every entry, and sums that have the same bits for any number of threads.
#pragma once

#include <sumfac/backend/detail/memory.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/backend/loop.hpp>
#include <sumfac/backend/policy.hpp>
#include <sumfac/config.hpp>
#include <sumfac/math/pack.hpp>
#include <sumfac/solver/reduction.hpp>

#include <type_traits>

namespace sumfac::inline SUMFAC_TARGET::detail {

// Sums that a body may make at once.
inline constexpr int most_sums = 7;

// Entries whose sum is one number, before those numbers are added up in order: a cut that no number of threads changes.
inline constexpr index_t chunk_size = 4096;

inline index_t chunks_of(index_t size)
{
  return (size + chunk_size - 1) / chunk_size;
}

// A body is an object with a type `scalar` and `static constexpr int sums` that is called as body(i, sum) for each
// entry i, where T (&sum)[most_sums] is what it adds to. T is scalar, or a pack of it that stands for the entries from
// i on; bodies read and write with load<T> and store.
template <class T>
SUMFAC_INLINE T load(scalar_of<T> const* p)
{
  if constexpr (width_of<T> == 1)
    return *p;
  else
    return T::load(p);
}
template <class T>
SUMFAC_INLINE void store(T const& x, scalar_of<T>* p)
{
  if constexpr (width_of<T> == 1)
    *p = x;
  else
    x.store(p);
}

template <class T>
SUMFAC_INLINE T magnitude(T const& x)
{
  if constexpr (width_of<T> == 1)
    return x < 0 ? -x : x;
  else
    return abs SUMFAC_NO_MACRO(x);
}

// The sums of a body over ranges of entries on the host, one after the other: in independent packs, then the rest.
template <class Body>
class range_sums {
public:
  // Entries first .. last - 1.
  void add(index_t first, index_t last, Body const& body)
  {
    constexpr int lines = Body::sums > 4 ? 1 : Body::sums > 2 ? 2 : 4;  // more packs than registers would be no help
    packed sum[lines][most_sums];
    for (int l = 0; l < lines; ++l)
      for (int k = 0; k < Body::sums; ++k) sum[l][k] = l == 0 ? sum_[k] : packed{};
    index_t i = first;
    for (; i + lines * simd_width <= last; i += lines * simd_width) {
      SUMFAC_UNROLL
      for (int l = 0; l < lines; ++l) body(i + l * simd_width, sum[l]);
    }
    for (; i + simd_width <= last; i += simd_width) body(i, sum[0]);
    for (; i < last; ++i) body(i, rest_);
    for (int k = 0; k < Body::sums; ++k) {
      for (int l = 1; l < lines; ++l) sum[0][k] += sum[l][k];
      sum_[k] = sum[0][k];
    }
  }
  void add_one(index_t i, Body const& body) { body(i, rest_); }

  // Adds what has been summed to results[k].
  void add_to(double* results) const
  {
    for (int k = 0; k < Body::sums; ++k) {
      double total = static_cast<double>(rest_[k]);
      for (int lane = 0; lane < simd_width; ++lane) total += static_cast<double>(sum_[k][lane]);
      results[k] += total;
    }
  }

private:
  using T = typename Body::scalar;
  static constexpr int simd_width = native_width<T>;
  using packed = pack<T, simd_width>;

  packed sum_[most_sums] = {};
  T rest_[most_sums] = {};
};

// A chunk of entries on a device: every thread takes some, and a tree adds up what they have.
template <class Body>
struct pass_kernel {
  using scalar = typename Body::scalar;
  static constexpr int threads = 256, sums = Body::sums;

  Body body;
  index_t size;
  index_t chunk;
  double* results;  // (groups, sums)

  template <class Team>
  struct scratch {
    typename Team::template shared<double, sums, threads> sum;
  };

  template <class Team>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>& s, index_t group) const
  {
    team.each(box<threads>{}, [&](int t) {
      scalar sum[most_sums] = {};
      index_t const end = (group + 1) * chunk < size ? (group + 1) * chunk : size;
      for (index_t i = group * chunk + t; i < end; i += threads) body(i, sum);
      for (int k = 0; k < sums; ++k) s.sum(k, t) = static_cast<double>(sum[k]);
    });
    for (int half = threads / 2; half > 0; half /= 2) {
      team.sync();
      team.each(box<threads>{}, [&](int t) {
        for (int k = 0; k < sums && t < half; ++k) s.sum(k, t) = s.sum(k, t) + s.sum(k, t + half);
      });
    }
    team.sync();
    team.each(box<threads>{}, [&](int t) {
      if (t < sums) results[group * sums + t] = s.sum(t, 0);
    });
  }
};

// The sums of chunks as a body of their own.
template <int Sums>
struct sum_of_chunks {
  using scalar = double;
  static constexpr int sums = Sums;
  double const* partial;  // (chunks, Sums)

  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&sum)[most_sums]) const
  {
    for (int k = 0; k < Sums; ++k) sum[k] += partial[i * Sums + k];
  }
};

template <class Body>
struct without_sums {
  Body body;
  SUMFAC_INLINE void operator()(index_t i) const
  {
    typename Body::scalar none[most_sums] = {};
    body(i, none);
  }
};

// Runs bodies on a backend, and keeps the memory for sums of chunks.
template <class Backend>
class pass_runner {
public:
  // For vectors of up to `size` entries.
  pass_runner(Backend const& backend, index_t size, reduction const& of_all = {})
      : backend_(backend), of_all_(of_all), partial_(make_memory<double>(backend, chunks_of(size) * most_sums))
  {
  }

  Backend const& backend() const { return backend_; }

  // results[k] = sum k of the body over all entries; in the backend's memory, null where the body has no sums.
  template <class Body>
  void run(index_t size, Body const& body, double* results = nullptr) const
  {
    if constexpr (std::is_same_v<Backend, host>)
      run_on_host(size, body, results);
    else
      run_on_device(size, body, results);
    if constexpr (Body::sums > 0)
      if (of_all_.add_up != nullptr) add_up(results, Body::sums);
  }
  // Sums of this process' become those of all.
  void add_up(double* sums, int count) const
  {
    if (of_all_.add_up == nullptr) return;
    if constexpr (is_device<Backend>) {
      double of_host[most_sums] = {};
      backend_.copy(sums, of_host, count);
      backend_.synchronize();
      of_all_.add_up(of_all_.context, of_host, count);
      backend_.copy(of_host, sums, count);
      backend_.synchronize();
    } else {
      of_all_.add_up(of_all_.context, sums, count);
    }
  }

private:
  template <class Body>
  void run_on_host(index_t size, Body const& body, double* results) const
  {
    index_t const chunks = chunks_of(size);
    double* const partial = partial_.data();
    backend_.balance(chunks, [&](index_t first, index_t last) {
      for (index_t chunk = first; chunk < last; ++chunk) {
        double* const own = partial + chunk * Body::sums;
        for (int k = 0; k < Body::sums; ++k) own[k] = 0;
        index_t const end = (chunk + 1) * chunk_size;
        range_sums<Body> sums;
        sums.add(chunk * chunk_size, end < size ? end : size, body);
        sums.add_to(own);
      }
    });
    for (int k = 0; k < Body::sums; ++k) {
      results[k] = 0;
      for (index_t chunk = 0; chunk < chunks; ++chunk) results[k] += partial[chunk * Body::sums + k];
    }
  }

  template <class Body>
  void run_on_device(index_t size, Body const& body, double* results) const
  {
    if constexpr (Body::sums == 0) {
      loop(backend_, size, without_sums<Body>{body});
    } else {
      index_t const chunks = chunks_of(size);
      backend_.launch(pass_kernel<Body>{body, size, chunk_size, partial_.data()}, chunks);
      backend_.launch(pass_kernel<sum_of_chunks<Body::sums>>{{partial_.data()}, chunks, chunks, results}, 1);
    }
  }

  Backend backend_;
  reduction of_all_;
  mutable memory_of<double, Backend> partial_;  // (chunks, sums)
};

}  // namespace sumfac::detail
