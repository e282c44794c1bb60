// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What forms keep at a point that need its measure alone: they derive from it.
#pragma once

#include <sumfac/config.hpp>

namespace support {

struct measured {
  template <class T>
  struct factors {
    T measure;
  };
  template <class Mapping>
  SUMFAC_FUNCTION factors<typename Mapping::value_type> setup(Mapping const& x) const
  {
    return {x.measure()};
  }
};

}  // namespace support
