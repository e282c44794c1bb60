// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The form's factors at every point of every element, in the order in which a device's teams read them.
#pragma once

#include <sumfac/backend/buffer.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/operator/factor_readers.hpp>

#include <utility>

namespace sumfac {

// Factors of a form with F numbers a point, set up in the host's memory and copied to the device's.
//
// **Shapes** (groups, F, G, Elements, G^2): layer by layer of an element's points, a team's elements side by side.
template <class Backend, class Form, class Scalar, int G, int Elements>
class device_factors {
public:
  template <int>
  using reader = team_factor_reader<Form, G, Scalar, Elements>;

  static constexpr int count = factors_of<Form>, lanes = Elements;

  device_factors() = default;
  device_factors(host const& setup_threads, index_t elements, int)
      : on_host_(setup_threads, groups(elements) * group_size)
  {
  }

  static index_t groups(index_t elements) { return (elements + Elements - 1) / Elements; }

  // Takes the factors of elements e .. e + width_of<T> - 1 (those that exist) at one point.
  template <class T>
  void set(index_t e, index_t elements, int point, typename Form::template factors<T> const& f)
  {
    detail::for_each_number<T>(f, [&](int i, int lane, double x) {
      if (e + lane < elements) on_host_[place(e + lane, point, i)] = static_cast<Scalar>(x);
    });
  }

  // Ends the setup: the factors go to where kernels of the backend read them.
  void commit(Backend const& backend)
  {
    if constexpr (is_device) {
      on_device_ = buffer<Scalar, Backend>(backend, on_host_.size());
      backend.copy(on_host_.data(), on_device_.data(), on_host_.size());
      backend.synchronize();
      on_host_ = {};
    }
  }

  // As if `element`, the first of a group, were element 0.
  Scalar const* data_at(index_t element) const { return data() + element / Elements * group_size; }

  // Factor i of element e at a point, from a copy that the host can read.
  class numbers {
  public:
    double operator()(index_t e, int point, int i) const
    {
      return static_cast<double>(data_[device_factors::place(e, point, i)]);
    }

  private:
    friend device_factors;
    buffer<Scalar> copy_;
    Scalar const* data_ = nullptr;
  };

  numbers read(Backend const& backend) const
  {
    numbers n;
    if constexpr (is_device) {
      n.copy_ = buffer<Scalar>(on_device_.size());
      backend.copy(on_device_.data(), n.copy_.data(), on_device_.size());
      backend.synchronize();
      n.data_ = n.copy_.data();
    } else {
      n.data_ = on_host_.data();
    }
    return n;
  }

private:
  static constexpr bool is_device = requires(Backend const& b) { b.stream(); };
  static constexpr int layer = Elements * G * G;
  static constexpr index_t group_size = index_t{count} * G * layer;

  struct nothing {};

  static index_t place(index_t e, int point, int i)
  {
    int const lane = static_cast<int>(e % Elements), z = point / (G * G), rest = point % (G * G);
    return e / Elements * group_size + (i * G + z) * layer + lane * (G * G) + rest;
  }

  Scalar const* data() const
  {
    if constexpr (is_device)
      return on_device_.data();
    else
      return on_host_.data();
  }

  buffer<Scalar> on_host_;
  [[no_unique_address]] std::conditional_t<is_device, buffer<Scalar, Backend>, nothing> on_device_;
};

}  // namespace sumfac
