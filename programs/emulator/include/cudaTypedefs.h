// The types of pointers to functions of the driver API.
#pragma once

#include "cuda.h"
#include "toolkit/cudaTypedefs.h"
