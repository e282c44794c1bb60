# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
# What tests/run, bench/run and .ci/run know of the machine they run on: missing packages, cores, memory.
# shellcheck shell=bash

say()
{
  printf '== %s\n' "$*"
}

stop()
{
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

missing_packages=()

# need PACKAGE CHECK...: notes the package (its name on Debian and Ubuntu) as missing unless the command CHECK succeeds.
need()
{
  local package=$1
  shift
  if [[ " ${missing_packages[*]} " != *" $package "* ]] && ! "$@" >/dev/null 2>&1; then
    missing_packages+=("$package")
  fi
}

# Installs what need() noted, by apt with root's rights; elsewhere names it and stops.
install_missing()
{
  if ((${#missing_packages[@]} == 0)); then
    return
  fi
  local packages=("${missing_packages[@]}")
  missing_packages=()
  local apt=(apt-get -o DPkg::Lock::Timeout=300)
  if ! has apt-get; then
    stop "please install, then start again (names as on Debian and Ubuntu): ${packages[*]}"
  fi
  local root=()
  if ((EUID != 0)); then
    has sudo || stop "as root, please run: apt-get install ${packages[*]}"
    root=(sudo)
  fi
  say "installing ${packages[*]}"
  "${root[@]}" "${apt[@]}" update -qq || say "apt-get update failed; trying with the lists at hand"
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive "${apt[@]}" install -y -qq --no-install-recommends "${packages[@]}" \
    >/dev/null || stop "apt-get could not install: ${packages[*]}"
  hash -r
}

has()
{
  command -v "$1" >/dev/null 2>&1
}

# has_header COMPILER HEADER...: whether the compiler, or a prefix in CMAKE_PREFIX_PATH, has one of the headers.
has_header()
{
  local compiler=$1 header prefix prefixes
  shift
  IFS=':;' read -r -a prefixes <<<"${CMAKE_PREFIX_PATH:-}"
  for header in "$@"; do
    if echo "#include <$header>" | "$compiler" -x c++ -E -o /dev/null - 2>/dev/null; then
      return 0
    fi
    for prefix in "${prefixes[@]}"; do
      if [[ -n $prefix && -e $prefix/include/$header ]]; then
        return 0
      fi
    done
  done
  return 1
}

# has_package NAME: whether pkg-config, which is installed with cmake's other tools, knows a library.
has_package()
{
  has pkg-config && pkg-config --exists "$1"
}

# at_least VERSION FOUND: whether FOUND is VERSION or newer.
at_least()
{
  [[ $(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1) == "$1" ]]
}

# Packages are no help where the distribution's own CMake is too old: says so.
check_cmake()
{
  local version
  version=$(cmake --version | sed -n '1s/[^0-9]*//p')
  at_least 3.25 "$version" || stop "CMake $version is too old (3.25 is needed): take a newer one from cmake.org"
}

# The compiler that the builds use: CXX, or c++ where it is not set.
compiler()
{
  printf '%s' "${CXX:-c++}"
}

# What every build needs; ccache keeps what was compiled for the next one.
need_build_tools()
{
  need cmake has cmake
  need ccache has ccache
  need make eval 'has ninja || has make'
  need g++ has "$(compiler)"
}

# Jobs for a build: one per core, fewer where memory is short (a large test takes 1.5 GiB to compile).
jobs()
{
  local cores memory
  cores=$(nproc)
  memory=$(awk '/^MemAvailable:/ { print int($2 / 1024 / 1536) }' /proc/meminfo 2>/dev/null || echo "$cores")
  ((memory < 1)) && memory=1
  echo $((cores < memory ? cores : memory))
}

# Ninja where there is one, and CMake's own choice elsewhere.
if has ninja && [[ -z ${CMAKE_GENERATOR:-} ]]; then
  export CMAKE_GENERATOR=Ninja
fi

# configure PRESET OPTION...: configures build/PRESET, from nothing if another generator or compiler made what is there.
configure()
{
  local preset=$1 cache=build/$1/CMakeCache.txt fresh=()
  shift
  if [[ -e $cache ]]; then
    local generator compiler
    generator=$(sed -n 's/^CMAKE_GENERATOR:INTERNAL=//p' "$cache")
    compiler=$(sed -n 's/^CMAKE_CXX_COMPILER:[A-Z]*=//p' "$cache")
    if [[ $generator != "${CMAKE_GENERATOR:-Unix Makefiles}" ]] ||
      [[ -n ${CXX:-} && $compiler != "$(command -v "$CXX")" ]]; then
      fresh=(--fresh)
    fi
  fi
  cmake --preset "$preset" "${fresh[@]}" "$@"
}

# What builds the tests.
need_test_tools()
{
  need_build_tools
  need python3 has python3
  need catch2 has_header "$(compiler)" catch2/catch.hpp catch2/catch_all.hpp
}

# build_and_test PRESET JOBS CTEST-OPTION...: of a build that is configured; says what took longest.
build_and_test()
{
  local folder=build/$1 jobs=$2 since status=0
  shift 2
  since=$(date +%s)
  say "building, $jobs at a time"
  cmake --build "$folder" --parallel "$jobs"
  python3 tests/tools/slowest build "$folder" --since "$since"
  say "testing, $jobs at a time"
  ctest --test-dir "$folder" --parallel "$jobs" --output-on-failure --no-tests=error \
    --output-junit tests.xml "$@" || status=$?
  python3 tests/tools/slowest tests "$folder/tests.xml"
  return "$status"
}

# python_with MODULE: the first python3 on the machine that can import the module.
python_with()
{
  local python
  for python in $(type -aP python3) /usr/bin/python3; do
    if [[ -x $python ]] && "$python" -c "import $1" >/dev/null 2>&1; then
      echo "$python"
      return 0
    fi
  done
  return 1
}
