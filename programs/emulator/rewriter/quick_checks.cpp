#include "../runtime/abi.hpp"
#include "rewrites.hpp"

namespace rewriter {

namespace names = emulator_abi::names;

namespace {

// Most accesses are to device memory that was written before: these go no further than this.
// NAME, WORD and the like stand for what differs.
constexpr char quick_check[] = R"(
define internal void @NAME(ptr %p, i32 %place) alwaysinline {
  %address = ptrtoint ptr %p to WORD
  %begin = load WORD, ptr @ARENA_BEGIN
  %end = load WORD, ptr @ARENA_END
  %span = sub WORD %end, %begin
  %offset = sub WORD %address, %begin
  %inside = icmp ult WORD %offset, %span
  br i1 %inside, label %look, label %closely
look:
  %shadow = load ptr, ptr @ARENA_SHADOW
  %states = getelementptr i8, ptr %shadow, WORD %offset
  %state = load iBITS, ptr %states, align 1
  %known = icmp eq iBITS %state, INITIALIZED
  %odd = and WORD %address, ODD
  %aligned = icmp eq WORD %odd, 0
  %low = load WORD, ptr @SHARED_LOW
  %high = load WORD, ptr @SHARED_HIGH
  %shared_span = sub WORD %high, %low
  %shared_offset = sub WORD %address, %low
  %not_shared = icmp uge WORD %shared_offset, %shared_span
  %pending = load ptr, ptr @PENDING
  %settled = icmp eq ptr %pending, null
  %a = and i1 %known, %aligned
  %b = and i1 %not_shared, %settled
QUICK
  br i1 %quick, label %done, label %closely
closely:
  call void @ACCESS(ptr %p, i32 SIZE, i32 CODE, i32 %place)
  br label %done
done:
  ret void
}
)";

// In a program that copies from global memory in bulk, the runtime hears of each write: one that no
// fence has made visible must not be copied.
constexpr char noted_check[] = R"(
define internal void @NAME(ptr %p, i32 %place) alwaysinline {
  call void @ACCESS(ptr %p, i32 SIZE, i32 CODE, i32 %place)
  ret void
}
)";

// In a block whose steps are shown, the runtime hears of each access.
constexpr char always[] = "  %quick = and i1 %a, %b";
constexpr char unless_stepped[] = R"(  %told = load i8, ptr @STEPPED
  %untold = icmp eq i8 %told, 0
  %c = and i1 %a, %b
  %quick = and i1 %c, %untold)";

bool copies_in_bulk(string_view module) {
    for (const char* name : {names::bulk_copy, names::tensor_copy})
        if (holds(module, string("@") + name + "(")) return true;
    return false;
}

// The decimal number whose bytes all are this one; it may have more bits than an integer of C++.
string repeated_byte(int byte, long long times) {
    string digits = "0";  // the lowest first
    for (long long i = 0; i < times; ++i) {
        int carry = byte;
        for (char& digit : digits) {
            carry += (digit - '0') * 256;
            digit = char('0' + carry % 10);
            carry /= 10;
        }
        for (; carry; carry /= 10) digits += char('0' + carry % 10);
    }
    return {digits.rbegin(), digits.rend()};
}

string filled(string text, const std::vector<std::pair<string_view, string>>& values) {
    for (auto& [name, value] : values) text = replaced(text, name, value);
    return text;
}

}  // namespace

string quick_checks(string_view module, string_view word) {
    std::vector<string> made = {""};
    for (const char* name : {names::arena_begin, names::arena_end, names::arena_shadow,
                             names::shared_low, names::shared_high, names::pending_write})
        made.push_back(string("@") + name + " = external global " + string(word));
    const bool noted = copies_in_bulk(module), stepped = with_steps(module);
    if (stepped) made.push_back(string("@") + names::stepped + " = external global i8");
    made.push_back(string("@") + names::writes_noted + " = constant i8 " + (noted ? "1" : "0"));
    const string prefix = string("@") + names::quick_access_prefix;
    std::set<string> called;
    for (size_t at = 0; (at = module.find(prefix, at)) != module.npos; at += prefix.size())
        called.insert(string(module.substr(at + 1, symbol_end(module, at) - at - 1)));
    for (const string& name : called) {
        cursor read(name, prefix.size() - 1);
        long long size = read.number().value_or(0);
        read.eat("_");
        long long code = read.number().value_or(0);
        string odd = std::to_string(code & emulator_abi::access_unaligned ? 0 : size - 1);
        made.push_back(
            filled(noted && code & emulator_abi::access_write ? noted_check : quick_check,
                   {{"QUICK", stepped ? unless_stepped : always},
                    {"STEPPED", names::stepped},
                    {"ARENA_BEGIN", names::arena_begin},
                    {"ARENA_END", names::arena_end},
                    {"ARENA_SHADOW", names::arena_shadow},
                    {"SHARED_LOW", names::shared_low},
                    {"SHARED_HIGH", names::shared_high},
                    {"PENDING", names::pending_write},
                    {"ACCESS", names::access},
                    {"NAME", name},
                    {"WORD", string(word)},
                    {"BITS", std::to_string(8 * size)},
                    {"INITIALIZED", repeated_byte(emulator_abi::shadow_initialized, size)},
                    {"ODD", odd},
                    {"SIZE", std::to_string(size)},
                    {"CODE", std::to_string(code)}}));
    }
    return joined(made, "\n");
}

}  // namespace rewriter
