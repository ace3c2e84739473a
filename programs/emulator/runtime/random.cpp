#include "random.hpp"

#include <cstdlib>

namespace emulator {

uint64_t seed;

static uint64_t random_state;

uint32_t random_below(uint32_t bound) {  // splitmix64
    if (random_state == 0) random_state = seed;
    uint64_t z = random_state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return uint32_t((z ^ z >> 31) % bound);
}

namespace {

struct seed_reader {  // before main
    seed_reader() {
        if (const char* text = getenv("EMULATOR_SEED")) seed = strtoull(text, nullptr, 10);
    }
} reads_seed;

}  // namespace

}  // namespace emulator
