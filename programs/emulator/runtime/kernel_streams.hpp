// Streams and events of device code: those of a block.
#pragma once

#include "blocks.hpp"
#include "handles.hpp"
#include "streams.hpp"

namespace emulator {

struct kernel_stream {
    std::weak_ptr<block_streams> owner;
    std::vector<work_item> before = {};  // what its next work comes after
};
struct kernel_event {
    std::weak_ptr<block_streams> owner;
    std::vector<work_item> recorded = {};
};
struct block_streams {
    kernel_stream null_stream;
    std::map<int, kernel_stream> of_threads = {};
};

// A stream that the block made, or has. Faults if it is another's, or none.
kernel_stream& kernel_stream_of(cudaStream_t handle, const std::string& place);

// Puts work of the kernel that runs where it was asked for: into a stream of the block, apart, or
// after all. `put` makes work of what it is to come after. What it gives back knows the work as
// soon as there is some.
using put_work = std::function<work_item(const std::vector<work_item>& after)>;
std::shared_ptr<work_item> put_in(cudaStream_t where, const std::string& place, put_work put);

}  // namespace emulator
