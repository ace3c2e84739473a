// Values by place, as records of the stepper hold them.
#pragma once

#include <cstdint>
#include <string>

namespace emulator {

// "3=7~2*5" stands for 7, 9, 11, 13, 15 from place 3 on.
class value_list {
public:
    void add(int place, int64_t value);
    // Bits of a kind: a letter and a number of bytes, as in the table of variables.
    void add(int place, const char* kind, uint64_t bits);
    std::string text();  // of all, which the list then forgets

private:
    void add(int place, const std::string& text);
    void begin(int place);

    std::string all_, text_;
    int first_ = 0, count_ = 0;
    int64_t value_ = 0, step_ = 0;
    bool whole_ = true;  // numbers, not texts
};

}  // namespace emulator
