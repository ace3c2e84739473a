// Is a class the same on both sides? Its layout is, and one set of member functions
// serves both. What the compiler writes itself, such as a copy constructor, may run
// wherever the functions that it calls may run.

#include <cstddef>  // unused; goes with the next recording
#include <cstdlib>
#include <string>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [class]
/// A base without data takes no room.
struct tag {};

/// Counts how often it was copied, on either side.
struct counted_copy {
    counted_copy() = default;
    __host__ __device__ counted_copy(const counted_copy& other)
        : copies(other.copies + 1) {}
    int copies = 0;
};

/// The compiler writes all its constructors.
struct record : tag {
    char kind = 'a';
    double weight = 2.5;
    unsigned flags : 3, rest : 13;
    counted_copy copy;
    __host__ __device__ virtual int describe() const { return copy.copies; }
};
// [/class]

// [facts]
/// Collects facts about the class.
/// @param facts  seven ints, written
__host__ __device__ void collect(int* facts) {
    const record first{};
    const record second = first;  // the copy constructor that the compiler wrote
    const char* begin = reinterpret_cast<const char*>(&first);
    const auto at = [begin](const void* member) {
        return static_cast<int>(static_cast<const char*>(member) - begin);
    };
    facts[0] = sizeof(record);
    facts[1] = alignof(record);
    facts[2] = at(&first.kind);
    facts[3] = at(&first.weight);
    facts[4] = at(&first.copy);
    facts[5] = second.describe();
    facts[6] = sizeof(tag);
}
// [/facts]

/// The same on the device; one thread.
/// @param facts  seven ints in device memory, written
__global__ void collect_there(int* facts) { collect(facts); }

int main() {
    lockstep::require_device();
    constexpr int count = 7;
    int here[count] = {};
    collect(here);
    lockstep::device_buffer<int> d_there(count);
    d_there.fill_bytes(0xFF);
    collect_there<<<1, 1>>>(d_there.data());
    lockstep::check(cudaGetLastError());
    const std::vector<int> there = d_there.to_host();

    const char* labels[count] = {"size, bytes",           "alignment, bytes",
                                 "offset of kind",        "offset of weight",
                                 "offset of copy",        "copies made",
                                 "size of an empty class"};
    bool right = true;
    lockstep::report("", "host  device");
    for (int i = 0; i < count; ++i) {
        std::string line = std::to_string(here[i]);
        line.resize(6, ' ');
        lockstep::report(labels[i], (line + std::to_string(there[i])).c_str());
        right = right && here[i] == there[i];
    }
    return right && here[5] == 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}
