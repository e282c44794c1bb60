// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The rungs of BP3.5, of both its ladders, for `ladder_counts`.
#include "counts.hpp"

static sumfac::ladder::counted<sumfac::ladder::bp35_ladder, SUMFAC_LADDER_ORDERS> const here;
static sumfac::ladder::counted<sumfac::ladder::bp35_blocks_ladder, SUMFAC_LADDER_ORDERS> const here_too;
