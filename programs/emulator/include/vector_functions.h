// The functions that make vectors: a part of the whole here.
#pragma once

#include "cuda_runtime.h"
