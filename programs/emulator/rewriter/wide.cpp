#include <algorithm>

#include "../runtime/abi.hpp"
#include "accesses.hpp"

namespace rewriter {

namespace {

// Bits of a value in memory; none for a type whose size is not known here.
std::optional<long long> bits_of(string_view type, long long pointer) {
    cursor read(type);
    if (read.eat("<")) {
        auto count = read.number();
        if (!count || !read.eat(" x ")) return std::nullopt;
        auto each = bits_of(type.substr(read.at(), type.size() - read.at() - 1), pointer);
        return each ? std::optional(*count * *each) : std::nullopt;
    }
    if (type == "ptr") return pointer;
    if (type == "half" || type == "bfloat") return 16;
    if (type == "float") return 32;
    if (type == "double") return 64;
    if (type == "x86_fp80") return 80;
    if (type == "fp128") return 128;
    if (!read.eat("i")) return std::nullopt;
    auto bits = read.number();
    return read.peek() ? std::nullopt : bits;
}

}  // namespace

std::vector<string> wide_access(string_view module, string_view line, size_t number,
                                const std::function<string()>& place) {
    cursor read(line, 2);
    bool loads = !read.symbol('%').empty();
    if (loads ? !read.eat(" = load ") : !read.eat("store ")) return {};
    // What is atomic, the sanitizer has made a call of.
    if (read.eat("atomic ")) unknown_form("accesses", module, line);
    int code = loads ? 0 : emulator_abi::access_write;
    if (read.eat("volatile ")) code |= emulator_abi::access_volatile;
    string_view type = read.type();
    std::vector<string_view> parts = split(read.rest());
    auto bits = bits_of(type, word_of(module) == "i64" ? 64 : 32);
    if (!bits || parts.size() < 2) unknown_form("accesses", module, line);
    long long bytes = (*bits + 7) / 8;
    if (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16) return {};
    argument pointer = argument_of(parts[1]);
    if (pointer.type != "ptr") unknown_form("accesses", module, line);
    long long alignment = 1;
    for (string_view part : parts)
        if (cursor after(part); after.eat("align ")) alignment = after.number().value_or(1);
    if (loads && !holds(line, "!tbaa")) code |= emulator_abi::access_padded;
    string_view location = debug_location(line);
    string rest = location.empty() ? "" : ", !dbg " + string(location);
    std::vector<string> checks;
    for (long long at = 0; at < bytes;) {
        long long piece = std::min<long long>(alignment, 16);
        while (piece > bytes - at || at % piece) piece /= 2;
        string part = "%emu.part" + std::to_string(number) + "." + std::to_string(at);
        checks.push_back("  " + part + " = getelementptr i8, ptr " + string(pointer.value) +
                         ", i32 " + std::to_string(at));
        checks.push_back(
            checked_access("  call void ", "ptr " + part, int(piece), code, place(), rest));
        at += piece;
    }
    return checks;
}

}  // namespace rewriter
