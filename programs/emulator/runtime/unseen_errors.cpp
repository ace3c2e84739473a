#include "unseen_errors.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "faults.hpp"

namespace emulator {

#ifdef __wasm__
static launch_line begun;
#else
static thread_local launch_line begun;
#endif

static int unseen;
static std::string first;

static void tell_unseen(int status) {
    if (!unseen) return;
    fflush(stdout);
    fprintf(stderr, "emulator: %d %s returned and not looked at: %s\n", unseen,
            unseen == 1 ? "error was" : "errors were", first.c_str());
    fflush(nullptr);
    _Exit(status ? status : 1);
}

static const bool tells = [] {
#ifdef __wasm__
    atexit([] { tell_unseen(0); });
#else
    on_exit([](int status, void*) { tell_unseen(status); }, nullptr);
#endif
    return true;
}();

void begin_launch_without_result(const launch_line& place) { begun = place; }

void end_launch(cudaError_t error) {
    const launch_line place = std::exchange(begun, {});
    if (!place.file || error == cudaSuccess || !tells) return;
    if (unseen++ == 0)
        first = cudaGetErrorName(error) + std::string(", first at ") +
                place_text(place.file, place.line);
}

void errors_were_seen() { unseen = 0; }

}  // namespace emulator
