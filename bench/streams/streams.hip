// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The same program for AMD GPUs.
#include "streams.cu"
