#include "slots.hpp"

#include <vector>

#include "fiber.hpp"

namespace emulator {

static int first_free_slot;

namespace {
struct slot_range {
    int first, count;
};
std::vector<slot_range> free_slots;
}  // namespace

int take_slots(int count) {
    for (auto& hole : free_slots)
        if (hole.count >= count) {
            hole.count -= count;
            return hole.first + hole.count;
        }
    const int found = first_free_slot;
    first_free_slot += count;
    reserve_fibers(first_free_slot);
    return found;
}

void give_slots(int first, int count) {
    for (auto& hole : free_slots)
        if (hole.count == 0) {
            hole = {first, count};
            return;
        }
    free_slots.push_back({first, count});
}

void forget_slots() {  // no launch is under way
    first_free_slot = 0;
    free_slots.clear();
}

}  // namespace emulator
