// What most programs include, compiled once for all of them: see Toolchain.prefix in
// ci/lockstep/emulator/toolchain.py.
#include "../cuda_runtime.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>
