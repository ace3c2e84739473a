// Fibers are numbered over all launches that are under way.
#pragma once

#include "runtime.hpp"

namespace emulator {

int take_slots(int count);
void give_slots(int first, int count);
void forget_slots();  // no launch is under way

}  // namespace emulator
