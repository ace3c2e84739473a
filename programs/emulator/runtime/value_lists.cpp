#include "value_lists.hpp"

#include <cstdio>
#include <cstring>
#include <utility>

namespace emulator {

namespace {

template <typename T>
T of_bits(uint64_t bits) {
    T value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// Whether sums of a few such numbers are exact.
bool small(int64_t value) { return value < 1LL << 53 && value > -(1LL << 53); }

}  // namespace

void value_list::add(int place, int64_t value) {
    if (count_ && whole_ && place == first_ + count_ && small(value) && small(value_)) {
        if (count_ == 1) step_ = value - value_;
        if (value == value_ + step_ * count_) {
            ++count_;
            return;
        }
    }
    begin(place);
    value_ = value;
    whole_ = true;
}

void value_list::add(int place, const std::string& text) {
    if (count_ && !whole_ && place == first_ + count_ && text == text_) {
        ++count_;
        return;
    }
    begin(place);
    text_ = text;
    whole_ = false;
}

void value_list::add(int place, const char* kind, uint64_t bits) {
    char text[32];
    switch (kind[0] << 8 | kind[1]) {
        case 'f' << 8 | '4':
            snprintf(text, sizeof text, "%.7g", double(of_bits<float>(bits)));
            break;
        case 'f' << 8 | '8': snprintf(text, sizeof text, "%.7g", of_bits<double>(bits)); break;
        case 'i' << 8 | '1': return add(place, int64_t(int8_t(bits)));
        case 'i' << 8 | '2': return add(place, int64_t(int16_t(bits)));
        case 'i' << 8 | '4': return add(place, int64_t(int32_t(bits)));
        case 'u' << 8 | '8': snprintf(text, sizeof text, "%llu", (unsigned long long)bits); break;
        case 'x' << 8: return add(place, std::string("?"));
        default: return add(place, int64_t(bits));
    }
    add(place, std::string(text));
}

std::string value_list::text() {
    begin(0);
    count_ = 0;
    return std::exchange(all_, {});
}

// Of another run; the one before is complete.
void value_list::begin(int place) {
    if (count_) {
        all_ += " " + std::to_string(first_) + "=";
        all_ += whole_ ? std::to_string(value_) : text_;
        if (count_ > 1 && whole_ && step_) all_ += "~" + std::to_string(step_);
        if (count_ > 1) all_ += "*" + std::to_string(count_);
    }
    first_ = place;
    count_ = 1;
}

}  // namespace emulator
