// The built-in variables: a part of the whole here.
#pragma once

#include "cuda_runtime.h"
