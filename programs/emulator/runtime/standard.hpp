// What most parts include, compiled once for all of them: see Toolchain.runtime in toolchain.py.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "toolkit/cuda_runtime_api.h"
