// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The contractions on NVIDIA GPUs, against the oracle.
#include "contractions.hpp"

#include <sumfac/backend/cuda.hpp>

int main() { return device_contractions::run<sumfac::cuda>(); }
