// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Numbers that the host sets up once and kernels of a backend read ever after.
#pragma once

#include <sumfac/backend/detail/memory.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// Filled through operator[] until commit(), which brings them to where kernels read them: data().
template <class T, class Backend>
class setup_numbers {
public:
  setup_numbers() = default;

  // Makes room for so many numbers to be set; where there was as much before, it is that, and from the second time on
  // what the host needs on the way to a device is kept, too.
  void resize(host const& setup_threads, index_t size)
  {
    if constexpr (is_device<Backend>) kept_ = kept_ || (size > 0 && on_device_.size() == size);
    if (on_host_.size() != size) on_host_ = buffer<T>(setup_threads, size);
  }

  T& operator[](index_t i) { return on_host_[i]; }

  void commit(Backend const& backend)
  {
    if constexpr (is_device<Backend>) {
      if (on_device_.size() != on_host_.size()) on_device_ = buffer<T, Backend>(backend, on_host_.size());
      backend.copy(on_host_.data(), on_device_.data(), on_host_.size());
      backend.synchronize();
      if (!kept_) on_host_ = {};
    }
  }

  T const* data() const
  {
    if constexpr (is_device<Backend>)
      return on_device_.data();
    else
      return on_host_.data();
  }

  // The numbers where the host can read them: a copy, or the numbers themselves.
  class host_readable {
  public:
    T const& operator[](index_t i) const { return data_[i]; }
    T const* data() const { return data_; }

  private:
    friend setup_numbers;
    buffer<T> copy_;
    T const* data_ = nullptr;
  };

  host_readable read(Backend const& backend) const
  {
    host_readable n;
    if constexpr (is_device<Backend>) {
      n.copy_ = buffer<T>(on_device_.size());
      backend.copy(on_device_.data(), n.copy_.data(), on_device_.size());
      backend.synchronize();
      n.data_ = n.copy_.data();
    } else {
      static_cast<void>(backend);
      n.data_ = on_host_.data();
    }
    return n;
  }

private:
  struct nothing {};

  buffer<T> on_host_;
  bool kept_ = false;  // on_host_, of a device's numbers
  SUMFAC_NO_UNIQUE_ADDRESS std::conditional_t<is_device<Backend>, buffer<T, Backend>, nothing> on_device_;
};

// `Count` numbers for each element; a team works on Elements elements, or on the host on a pack of them, and
//
// **Shapes** host (E / W, Count, W), else (groups, Elements, Count); places behind the last element repeat it.
template <class Problem, class Backend, int Count, int Elements>
class element_numbers {
  using number = typename Problem::factor_number;

public:
  static constexpr bool packed = runs_on_host<Backend>;
  static constexpr int width = packed ? native_width<typename Problem::number> : 1, lanes = packed ? width : Elements;
  static constexpr int count = Count;

  void resize(host const& setup_threads, index_t elements)
  {
    numbers_.resize(setup_threads, groups(elements) * lanes * count);
  }

  index_t numbers(index_t elements) const { return elements * count; }
  static index_t groups(index_t elements) { return (elements + lanes - 1) / lanes; }

  // Takes the numbers of element e; those of the last one fill its group.
  void set_numbers(index_t e, index_t elements, double const* numbers)
  {
    index_t const end = e + 1 < elements ? e + 1 : groups(elements) * lanes;
    for (index_t i = e; i < end; ++i)
      for (int k = 0; k < count; ++k) numbers_[place(i, k)] = static_cast<number>(numbers[k]);
  }

  // Ends the setup: the numbers go to where kernels of the backend read them.
  void commit(Backend const& backend) { numbers_.commit(backend); }

  // As if `element`, the first of a group, were element 0.
  number const* data_at(index_t element) const { return numbers_.data() + place(element, 0); }

  // read_numbers(backend)(e, k): number k of element e, from memory that the host can read.
  auto read_numbers(Backend const& backend) const
  {
    return [stored = numbers_.read(backend)](index_t e, int k) { return static_cast<double>(stored[place(e, k)]); };
  }

private:
  static index_t place(index_t e, int k) { return (e / width * count + k) * width + e % width; }

  setup_numbers<number, Backend> numbers_;
};

}  // namespace sumfac::detail
