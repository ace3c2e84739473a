// Constants of float and double, as the toolkit defines them.
#pragma once

#include <toolkit/math_constants.h>

#include "cuda_runtime.h"
