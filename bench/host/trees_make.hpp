// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What each library of `trees` has under the name trees_make: its one subject with about so many degrees of freedom.
#pragma once

namespace sumfac::bench {

class instance;
using trees_make_function = instance*(double dofs, int threads, bool atomic);

}  // namespace sumfac::bench
