// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// SUNDIALS' vectors over sumfac's, so that ARKODE, CVODE and the others step in time. Needs SUNDIALS (6.4).
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/dofs/vectors/vector_checks.hpp>
#include <sumfac/interop/detail/sundials_passes.hpp>
#include <sumfac/solver/vector_ops.hpp>
#include <sumfac/view/vector_argument.hpp>

#include <sundials/sundials_nvector.h>
#include <sundials/sundials_types.h>

#include <exception>
#include <memory>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET::sundials {

// A global vector as SUNDIALS' N_Vector, which shares its entries. Vectors that SUNDIALS clones have memory of their
// own, and may outlive it.
//
// Operations are passes over the entries by the backend's threads, their sums the same bits for any number of threads.
// On a device they are kernels, sums are waited for, and a least or largest entry is found by the host.
// **Shapes** a global vector of rank 1, in the backend's memory, which must live as long.
// **Errors** argument_error for a context that is null; backend_error where SUNDIALS has no memory.
template <class Backend = host>
class vector {
public:
  vector(SUNContext context, Backend const& backend, vector_argument<double> entries);
  template <sumfac::detail::contiguous_range Entries>
    requires(!std::is_lvalue_reference_v<Entries>)
  vector(SUNContext, Backend const&, Entries&&) = delete;  // an array that would be gone
  vector(vector const&) = delete;
  vector& operator=(vector const&) = delete;
  ~vector() { N_VDestroy(vector_); }

  operator N_Vector() const { return vector_; }

private:
  N_Vector vector_;
};

template <class Backend, class Entries>
vector(SUNContext, Backend const&, Entries&&) -> vector<Backend>;

// The entries of a vector that SUNDIALS hands to a function: of ours in the backend's memory, of others, as
// N_VNew_Serial makes them, in the host's.
//
// **Errors** argument_error for a vector whose entries do not lie side by side in memory that it tells.
inline view<double, dextents<1>> entries_of(N_Vector v);

// What runs in the functions that SUNDIALS calls, and keeps what is thrown there: C has no exceptions.
//
//     static int rhs(double t, N_Vector y, N_Vector to, void* user)
//     {
//       auto& own = *static_cast<problem*>(user);
//       return own.calls([&] { own.K.apply(own.R, entries_of(y), entries_of(to)); });
//     }
class guarded_calls {
public:
  // 0, or where f throws -1: a failure from which SUNDIALS does not recover.
  template <class Function>
  int operator()(Function const& f)
  {
    try {
      f();
      return 0;
    } catch (...) {
      if (!thrown_) thrown_ = std::current_exception();
      return -1;
    }
  }

  // Throws what has been thrown in such a function; else, where SUNDIALS returns less than 0, backend_error.
  void check(char const* what, int returned)
  {
    if (std::exception_ptr const thrown = thrown_) {
      thrown_ = nullptr;
      std::rethrow_exception(thrown);
    }
    if (returned < 0)
      sumfac::detail::throw_text<backend_error>(
          "sumfac::sundials: %s failed (it returned %d, 0 or more expected): see what SUNDIALS has written", what,
          returned);
  }

private:
  std::exception_ptr thrown_;
};

}  // namespace sumfac::sundials

namespace sumfac::SUMFAC_TARGET::detail {

// What all vectors of a backend share: where passes run, and memory for their sums.
template <class Backend>
struct sundials_space {
  sundials_space(Backend const& backend, index_t size)
      : runner(backend, size), sums(make_memory<double>(backend, most_sums))
  {
  }
  pass_runner<Backend> runner;
  mutable memory_of<double, Backend> sums;
};

// An N_Vector's content begins with this, whatever its backend is.
struct sundials_entries {
  double* data;
  index_t size;
};
inline sundials_entries& entries_in(N_Vector v) { return *static_cast<sundials_entries*>(v->content); }
inline sunindextype sundials_length(N_Vector v) { return static_cast<sunindextype>(entries_in(v).size); }
inline N_Vector_ID sundials_id(N_Vector) { return SUNDIALS_NVEC_CUSTOM; }

template <class Backend>
struct sundials_operations {
  using space = sundials_space<Backend>;
  struct content : sundials_entries {
    std::shared_ptr<space const> shared;
    memory_of<double, Backend> own;
  };
  static constexpr bool in_host_memory = !is_device<Backend>;
  static_assert(std::is_same_v<sunrealtype, double>,
                "sumfac::sundials: this SUNDIALS computes in other numbers than double: take a build in double");

  // Shares `data`, or has memory of its own where that is null. Null where there is no memory.
  static N_Vector make(SUNContext context, std::shared_ptr<space const> const& shared, double* data, index_t size)
  {
    N_Vector const v = N_VNewEmpty(context);
    if (v == nullptr) return nullptr;
    try {
      auto made = std::make_unique<content>();
      made->shared = shared;
      if (data == nullptr) made->own = make_memory<double>(shared->runner.backend(), size);
      made->data = data == nullptr ? made->own.data() : data;
      made->size = size;
      v->content = made.release();
    } catch (...) {
      N_VFreeEmpty(v);
      return nullptr;
    }
    set(*v->ops);
    return v;
  }

private:
  static content& of(N_Vector v) { return static_cast<content&>(entries_in(v)); }
  static double* data(N_Vector v) { return entries_in(v).data; }

  // z = f(x, y), entry by entry
  template <sundials_operation Operation>
  static void each(N_Vector x, N_Vector y, N_Vector z, double a = 0, double b = 0)
  {
    using function = sundials_function<Operation>;
    of(z).shared->runner.run(of(z).size, sundials_each<function>{{a, b}, data(x), data(y), data(z)});
  }
  // The sum of f(x, y, z).
  template <sundials_operation Operation>
  static double sum(N_Vector x, N_Vector y, N_Vector z)
  {
    using function = sundials_function<Operation>;
    space const& shared = *of(x).shared;
    shared.runner.run(of(x).size, sundials_sum<function>{{}, data(x), data(y), data(z)}, shared.sums.data());
    return download(shared.runner.backend(), static_cast<double const*>(shared.sums.data()), 1)[0];
  }
  // The least f(x, y), SUNDIALS' largest number where there is none.
  template <sundials_operation Operation>
  static double least(N_Vector x, N_Vector y)
  {
    sundials_function<Operation> const f{SUN_BIG_REAL};
    double least = SUN_BIG_REAL;
    auto const look = [&](double const* a, double const* b) {
      for (index_t i = 0; i < of(x).size; ++i) least = lesser(least, f(a[i], b[i], b[i]));
    };
    if constexpr (in_host_memory) {
      look(data(x), data(y));
    } else {
      Backend const& backend = of(x).shared->runner.backend();
      auto const a = download(backend, static_cast<double const*>(data(x)), of(x).size);
      auto const b = download(backend, static_cast<double const*>(data(y)), of(x).size);
      look(a.data(), b.data());
    }
    return least;
  }
  static double mean_root(double squares, N_Vector x)
  {
    return of(x).size == 0 ? 0 : __builtin_sqrt(squares / static_cast<double>(of(x).size));
  }

  static void set(_generic_N_Vector_Ops& ops)
  {
    using enum sundials_operation;
    ops.nvgetvectorid = sundials_id;
    ops.nvgetlength = sundials_length;
    ops.nvclone = [](N_Vector v) { return make(v->sunctx, of(v).shared, nullptr, of(v).size); };
    ops.nvdestroy = [](N_Vector v) {
      if (v == nullptr) return;
      delete &of(v);
      v->content = nullptr;
      N_VFreeEmpty(v);
    };
    if constexpr (in_host_memory)
      ops.nvgetarraypointer = data;
    else
      ops.nvgetdevicearraypointer = data;
    ops.nvlinearsum = [](double a, N_Vector x, double b, N_Vector y, N_Vector z) { each<linear>(x, y, z, a, b); };
    ops.nvconst = [](double c, N_Vector z) { of(z).shared->runner.run(of(z).size, fill_body<double>{c, data(z)}); };
    ops.nvprod = [](N_Vector x, N_Vector y, N_Vector z) { each<product>(x, y, z); };
    ops.nvdiv = [](N_Vector x, N_Vector y, N_Vector z) { each<quotient>(x, y, z); };
    ops.nvscale = [](double c, N_Vector x, N_Vector z) { each<affine>(x, x, z, c); };
    ops.nvabs = [](N_Vector x, N_Vector z) { each<absolute>(x, x, z); };
    ops.nvinv = [](N_Vector x, N_Vector z) { each<inverse>(x, x, z); };
    ops.nvaddconst = [](N_Vector x, double b, N_Vector z) { each<affine>(x, x, z, 1, b); };
    ops.nvdotprod = [](N_Vector x, N_Vector y) { return sum<product>(x, y, y); };
    ops.nvmaxnorm = [](N_Vector x) { return sumfac::detail::greater(0.0, -least<minus_absolute>(x, x)); };
    ops.nvwrmsnorm = [](N_Vector x, N_Vector w) { return mean_root(sum<weighted_square>(x, w, w), x); };
    ops.nvwrmsnormmask = [](N_Vector x, N_Vector w, N_Vector id) { return mean_root(sum<masked_square>(x, w, id), x); };
    ops.nvmin = [](N_Vector x) { return least<itself>(x, x); };
    ops.nvwl2norm = [](N_Vector x, N_Vector w) { return __builtin_sqrt(sum<weighted_square>(x, w, w)); };
    ops.nvl1norm = [](N_Vector x) { return sum<absolute>(x, x, x); };
    ops.nvcompare = [](double c, N_Vector x, N_Vector z) { each<at_least>(x, x, z, c); };
    ops.nvinvtest = [](N_Vector x, N_Vector z) -> sunbooleantype {
      bool const all = sum<is_zero>(x, x, x) == 0;
      each<inverse_or_zero>(x, x, z);
      return all ? 1 : 0;
    };
    ops.nvconstrmask = [](N_Vector c, N_Vector x, N_Vector m) -> sunbooleantype {
      each<violates>(c, x, m);
      return sum<absolute>(m, m, m) == 0 ? 1 : 0;
    };
    ops.nvminquotient = [](N_Vector x, N_Vector y) { return least<quotient_or_most>(x, y); };
  }
};

}  // namespace sumfac::detail

namespace sumfac::SUMFAC_TARGET::sundials {

inline view<double, dextents<1>> entries_of(N_Vector v)
{
  if (v != nullptr && v->ops->nvgetlength == sumfac::detail::sundials_length)
    return view<double, dextents<1>>(sumfac::detail::entries_in(v).data, sumfac::detail::entries_in(v).size);
  double* const data = v == nullptr || v->ops->nvgetarraypointer == nullptr ? nullptr : N_VGetArrayPointer(v);
  if (data == nullptr)
    fail("sundials::entries_of",
         "the vector is null, or has no array of all its entries: make it as a "
         "sumfac::sundials::vector");
  return view<double, dextents<1>>(data, static_cast<index_t>(N_VGetLength(v)));
}

template <class Backend>
vector<Backend>::vector(SUNContext context, Backend const& backend, vector_argument<double> entries)
{
  constexpr auto here = "sundials::vector";
  auto const& x = entries.entries;
  if (context == nullptr) fail(here, "the context is null: make one by SUNContext_Create");
  check_data(here, "the vector", x.data(), x.extent(0));
  using operations = sumfac::detail::sundials_operations<Backend>;
  auto const shared = std::make_shared<typename operations::space const>(backend, x.extent(0));
  vector_ = operations::make(context, shared, x.data(), x.extent(0));
  if (vector_ == nullptr)
    sumfac::detail::throw_text<backend_error>("sumfac::%s: SUNDIALS has no memory for a vector (%lld entries)", here,
                                              static_cast<long long>(x.extent(0)));
}

}  // namespace sumfac::sundials
