// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// One pass over vectors: a body called for every entry, and sums that have the same bits for any number of threads.
#pragma once

#include <sumfac/backend/detail/atomic_add.hpp>
#include <sumfac/backend/detail/memory.hpp>
#include <sumfac/backend/loop.hpp>
#include <sumfac/dofs/halo.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// Sums that a body may make at once.
inline constexpr int most_sums = 7;

// Entries whose sum is one number, before those numbers are added up in order: a cut that no number of threads changes.
inline constexpr index_t chunk_size = 4096;

// A thread has so many chunks of a pass at least: to start and to wait for one another takes two threads about 3 us, in
// which one goes through 10 to 20 thousand entries in the caches.
inline constexpr index_t least_chunks = 4;

inline index_t chunks_of(index_t size) { return (size + chunk_size - 1) / chunk_size; }

// The same on devices and `checked`, where a chunk is a team's: the size alone decides how many entries it has, and
// there are at most so many chunks, which one team adds up.
inline constexpr index_t least_of_team = 256, most_teams = 1024;

inline index_t chunk_of_team(index_t size)
{
  constexpr index_t step = least_of_team * most_teams;
  return size <= step ? least_of_team : (size + step - 1) / step * least_of_team;
}
inline index_t most_teams_of(index_t size)
{
  index_t const teams = (size + least_of_team - 1) / least_of_team;
  return teams < 1 ? 1 : teams < most_teams ? teams : most_teams;
}

// Iterations of a solve between two looks at its residual, of which options say `check_every`: the host sees each one.
template <class Backend>
index_t iterations_of_look(index_t check_every)
{
  return is_device<Backend> ? check_every : 1;
}

// What follows a pass's sums, where they are: nothing.
struct no_step {
  SUMFAC_INLINE void operator()(index_t) const {}
};

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

// x for the entries from i on times factors, or x where there are none.
template <class T, class Scalar>
SUMFAC_INLINE T times(Scalar const* factors, index_t i, T const& x)
{
  return factors == nullptr ? x : load<T>(factors + i) * x;
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

// A pass that is made inside a sweep over elements, as hooks of restriction_storage::sweep: the body is called for each
// entry of y as soon as y is complete there.
//
// The body may change x, too: entries of a block's own nodes are read by that block alone, which is done, and those
// that blocks share are come to when all are.
template <class Body>
struct hooked_pass {
  using scalar = typename Body::scalar;
  struct piece_sums {};
  static_assert(Body::sums == 0);

  Body body;
  scalar const* x;  // null where the sweep reads none
  scalar* y;

  void before(index_t first, index_t last) const
  {
    for (index_t i = first; i < last; ++i) y[i] = 0;
  }
  void before_one(index_t i) const { y[i] = 0; }
  scalar next_x(index_t i) const { return x[i]; }
  void after(index_t first, index_t last, piece_sums&) const { range_sums<Body>().add(first, last, body); }
  void after_one(index_t i, piece_sums&) const
  {
    scalar none[most_sums] = {};
    body(i, none);
  }
  void finish(index_t, piece_sums const&) const {}
};

// A chunk of entries on a device: every thread takes some, and what they have is added up in two rounds, in order. The
// team that ends last adds up what all teams have in the same way, and makes the step that follows.
template <class Body, class Step>
struct pass_kernel {
  using scalar = typename Body::scalar;
  static constexpr int threads = 256, sums = Body::sums;
  static constexpr int parts = 16;  // of a sum, between the rounds: a thread adds up 16 numbers in each
  static_assert(parts * parts == threads && most_sums * parts <= threads);
  // Registers for so many teams, 48 a thread on NVIDIA's, or as the body says.
  static constexpr int resident_teams = kernel_resident_teams<Body> > 1 ? kernel_resident_teams<Body> : 5;

  Body body;
  Step step;
  bool makes_step;
  index_t size, chunk, chunks;
  double* partial;  // (chunks, sums)
  double* results;
  unsigned* arrived;

  template <class Team>
  struct scratch {
    typename Team::template shared<double, sums, threads> sum;
    typename Team::template shared<double, sums, parts> part;
    typename Team::template shared<int, 1> is_last;
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
    add_up(team, s, partial + group * sums);
    team.sync();
    team.each(box<threads>{}, [&](int t) {
      if (t == 0) s.is_last(0) = is_last_of(arrived, chunks) ? 1 : 0;
    });
    team.sync();
    if (s.is_last(0) == 0) return;
    team.each(box<threads>{}, [&](int t) {
      double sum[most_sums] = {};
      for (index_t i = t; i < chunks; i += threads)
        for (int k = 0; k < sums; ++k) sum[k] += partial[i * sums + k];
      for (int k = 0; k < sums; ++k) s.sum(k, t) = sum[k];
    });
    add_up(team, s, results);
    if (!makes_step) return;
    team.sync();
    team.each(box<1>{}, [&](int) { step(0); });
  }

private:
  // to[k] = the sum of all sum(k, t)
  template <class Team>
  SUMFAC_FUNCTION static void add_up(Team const& team, scratch<Team>& s, double* to)
  {
    team.sync();
    team.each(box<sums * parts>{}, [&](int t) {
      int const k = t / parts, first = t % parts;
      double sum = 0;
      for (int i = first; i < threads; i += parts) sum += s.sum(k, i);
      s.part(k, first) = sum;
    });
    team.sync();
    team.each(box<sums>{}, [&](int k) {
      double sum = 0;
      for (int i = 0; i < parts; ++i) sum += s.part(k, i);
      to[k] = sum;
    });
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
      : backend_(backend),
        of_all_(of_all),
        partial_(make_memory<double>(backend, (on_host ? chunks_of(size) : most_teams_of(size)) * most_sums)),
        arrived_(make_memory<unsigned>(backend, on_host ? 0 : 1))
  {
  }

  Backend const& backend() const { return backend_; }

  // results[k] = sum k of the body over all entries, and then step(0), a function of one iteration: on a device in the
  // same launch. In the backend's memory, null where the body has no sums; then there is no step either.
  template <class Body, class Step = no_step>
  void run(index_t size, Body const& body, double* results = nullptr, Step const& step = {}) const
  {
    static_assert(Body::sums > 0 || std::is_same_v<Step, no_step>);
    if constexpr (on_host) {
      run_on_host(size, body, results);
      if constexpr (Body::sums > 0) add_up(results, Body::sums);
      step(0);
    } else if constexpr (Body::sums == 0) {
      loop(backend_, size, without_sums<Body>{body});
    } else {
      bool const alone = of_all_.add_up == nullptr;
      index_t const chunk = chunk_of_team(size), chunks = size == 0 ? 1 : (size + chunk - 1) / chunk;
      backend_.launch(
          pass_kernel<Body, Step>{body, step, alone, size, chunk, chunks, partial_.data(), results, arrived_.data()},
          chunks);
      if (alone) return;
      add_up(results, Body::sums);
      if constexpr (!std::is_same_v<Step, no_step>) loop(backend_, 1, step);
    }
  }
  // Sums of this process' become those of all.
  void add_up(double* sums, int count) const
  {
    if (of_all_.add_up == nullptr) return;
    if constexpr (is_device<Backend>) {
      if constexpr (has_stream)
        if (of_all_.enqueue != nullptr) return of_all_.enqueue(of_all_.context, sums, count, backend_.stream());
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
  // Whether the host waits for sums, those of several processes.
  bool host_waits() const { return of_all_.add_up != nullptr && (!has_stream || of_all_.enqueue == nullptr); }

private:
  static constexpr bool on_host = runs_on_host<Backend>;
  static constexpr bool has_stream = requires(Backend const& b) { static_cast<void*>(b.stream()); };

  template <class Body>
  void run_on_host(index_t size, Body const& body, double* results) const
  {
    index_t const chunks = chunks_of(size);
    double* const partial = partial_.data();
    backend_.for_work(chunks, least_chunks).balance(chunks, [&](index_t first, index_t last) {
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

  Backend backend_;
  reduction of_all_;
  mutable memory_of<double, Backend> partial_;  // (chunks, sums)
  mutable memory_of<unsigned, Backend> arrived_;
};

// Bodies of the usual passes.
template <class Number>
struct fill_body {
  using scalar = Number;
  static constexpr int sums = 0;
  Number a;
  Number* x;
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&)[most_sums]) const
  {
    store(static_cast<T>(a), x + i);
  }
};

template <class Number>
struct axpby_body {
  using scalar = Number;
  static constexpr int sums = 0;
  Number a, b;
  Number const* x;
  Number* y;
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&)[most_sums]) const
  {
    T result = a == Number(0) ? T{} : a == Number(1) ? load<T>(x + i) : a * load<T>(x + i);
    if (b != Number(0)) result = fma(b, load<T>(y + i), result);
    store(result, y + i);
  }
};

template <class Number>
struct multiply_body {
  using scalar = Number;
  static constexpr int sums = 0;
  Number const *x, *y;
  Number* z;
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&)[most_sums]) const
  {
    store(load<T>(x + i) * load<T>(y + i), z + i);
  }
};

template <class Number>
struct dot_body {
  using scalar = Number;
  static constexpr int sums = 1;
  Number const *x, *y;
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&sum)[most_sums]) const
  {
    sum[0] = fma(load<T>(x + i), load<T>(y + i), sum[0]);
  }
};

template <class Number>
struct magnitude_body {
  using scalar = Number;
  static constexpr int sums = 1;
  Number const* x;
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&sum)[most_sums]) const
  {
    sum[0] += magnitude(load<T>(x + i));
  }
};

template <class Number>
struct scaled_square_body {
  using scalar = Number;
  static constexpr int sums = 1;
  Number inverse;
  Number const* x;
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&sum)[most_sums]) const
  {
    T const scaled = inverse * load<T>(x + i);
    sum[0] = fma(scaled, scaled, sum[0]);
  }
};

// y = y + a x; sums y times the factors times y.
template <class Number>
struct axpy_dot_body {
  using scalar = Number;
  static constexpr int sums = 1;
  Number a;
  Number const* x;
  Number* y;
  Number const* factors = nullptr;  // null where they are 1
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&sum)[most_sums]) const
  {
    T const result = fma(a, load<T>(x + i), load<T>(y + i));
    store(result, y + i);
    sum[0] = fma(result, times(factors, i, result), sum[0]);
  }
};

}  // namespace sumfac::detail
