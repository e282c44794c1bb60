// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Between vectors of two degrees on a mesh that is cut among processes.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/operator/global_operator.hpp>
#include <sumfac/solver/transfer.hpp>

namespace sumfac::SUMFAC_TARGET {

// `transfer` of a mesh in parts: of restrictions that each have a halo behind them.
template <auto Fine, auto Coarse, class Scalar, class Backend, class Halo>
using distributed_transfer = transfer<Fine, Coarse, Scalar, Backend, Halo>;

}  // namespace sumfac
