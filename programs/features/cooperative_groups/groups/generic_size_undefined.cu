// Does the generic group have num_threads()? Its class declares the function, and the
// headers of toolkit 13.0 define it nowhere. So a kernel that calls it does not
// assemble; size() is the name that works.

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

// [call]
/// Asks a generic group for its size.
__global__ void ask(unsigned long long* size) {
    const cg::thread_group group = cg::this_thread_block();
    size[0] = group.size();
    size[1] = group.num_threads();
}
// [/call]

int main() {}
