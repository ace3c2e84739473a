// The vector types: a part of the whole here.
#pragma once

#include "cuda_runtime.h"
