// The runtime API alone: the same as the whole here.
#pragma once

#include "cuda_runtime.h"
