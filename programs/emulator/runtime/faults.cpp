#include "faults.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

#include "fiber.hpp"
#include "running_launch.hpp"
#include "trace.hpp"

namespace emulator {

std::string place_text(const char* file, int line) {
    const char* name = strrchr(file, '/');
    return std::string(name ? name + 1 : file) + ":" + std::to_string(line);
}

static std::vector<std::pair<const char*, int>> further_places;

int place_number(const char* file, int line) {
    const std::pair place{file, line};
    const auto known = std::find(further_places.begin(), further_places.end(), place);
    if (known != further_places.end()) return -1 - int(known - further_places.begin());
    further_places.push_back(place);
    return -int(further_places.size());
}

std::string place_name(int number) {
    if (number >= 0) return __emu_places[number];
    const auto& [file, line] = further_places[-1 - number];
    return place_text(file, line);
}

std::string thread_text(const thread_block& block, int thread) {
    return triple(block.threads[thread].index);
}

std::string mask_text(unsigned mask) {
    char text[16];
    snprintf(text, sizeof text, "0x%08x", mask);
    return text;
}

void fault(cudaError_t error, const std::string& place, const std::string& text) {
    fflush(stdout);
    fprintf(stderr, "emulator: %s, block %s, thread %s%s%s: %s\n", current_launch->kernel->name,
            triple(current_block->index).c_str(),
            thread_text(*current_block, current_thread).c_str(), place.empty() ? "" : ", ",
            place.c_str(), text.c_str());
    trace_event(*current_block, self().last_line, text);
    current_running->error_ = error;
    __emu_pending_write.to = nullptr;
    abandon_fiber();
}

}  // namespace emulator
