// The driver API: its types. Programs get the few functions that there are by
// cudaGetDriverEntryPointByVersion.
#pragma once

#include "toolkit/cuda.h"
