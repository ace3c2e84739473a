// The types of the runtime API: a part of the whole here.
#pragma once

#include "cuda_runtime.h"
