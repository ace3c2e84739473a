// Parts of the rewrite "accesses".
#pragma once

#include "rewrites.hpp"

namespace rewriter {

/// The call of a check, as text.
/// @param before what stands in front of the function's name, "call void " at its end
/// @param pointer the argument: "ptr %x", with attributes if it has any
/// @param bytes the size of the access
/// @param code an emulator_abi::access_code
/// @param place the argument that numbers the place: "i32 7"
/// @param rest what follows the call in its line
string checked_access(string_view before, string_view pointer, int bytes, int code,
                      const string& place, string_view rest);

/// Checks in front of a load or store of a size that the sanitizer leaves out, one a line: it knows
/// 1, 2, 4, 8 and 16 bytes.
/// @param module where the line's place is looked up
/// @param line the load or store
/// @param number tells the names of new values apart
/// @param place makes the argument that numbers the place
std::vector<string> wide_access(string_view module, string_view line, size_t number,
                                const std::function<string()>& place);

}  // namespace rewriter
