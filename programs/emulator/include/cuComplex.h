// Complex numbers, as the toolkit defines them.
#pragma once

#include "cuda_runtime.h"

#include <toolkit/cuComplex.h>
