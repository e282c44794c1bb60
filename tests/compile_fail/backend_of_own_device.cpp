// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A backend of a user's own that has a stream, and nothing that copies to its device.
// expect: sumfac::backend: with stream() it is a device's, and then needs device(), copy(from, to, size), synchronize()
#include <sumfac/backend/concepts.hpp>
#include <sumfac/backend/host.hpp>

struct queue : sumfac::host {
#if !defined(SUMFAC_FITS)
  int stream() const { return 0; }
#endif
};

static_assert(sumfac::check_backend<queue>());
