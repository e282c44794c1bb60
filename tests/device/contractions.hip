// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The contractions on AMD GPUs, against the oracle.
#include <sumfac/backend/hip.hpp>  // HIP's own words come before all others

#include "contractions.hpp"

int main() { return device_contractions::run<sumfac::hip>(); }
