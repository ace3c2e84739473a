// The toolkit's header of this name; of it, the primitives.
#pragma once

#include "cuda_pipeline_primitives.h"
