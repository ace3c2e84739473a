#pragma once
/// @file
/// Checks calls of Vulkan, and begins its structures.

#include <string>

#include <vulkan/vulkan.h>

#include <lockstep/check.hpp>

namespace lockstep {

/// Ends the program unless a call of Vulkan succeeded.
/// @param result  what the call returned
/// @param file, line  place of the call; leave them out
inline void check(VkResult result, const char* file = __builtin_FILE(),
                  int line = __builtin_LINE()) {
    if (result == VK_SUCCESS) return;
    stop_at(false, ("VkResult " + std::to_string(result)).c_str(),
            "see the list of VkResult in vulkan_core.h", file, line);
}

/// A structure of Vulkan with all members 0 except the first, which says what it is.
/// @tparam T   type of the structure
/// @param type  the matching value of VkStructureType
template <class T>
T vulkan_structure(VkStructureType type) {
    T structure{};
    structure.sType = type;
    return structure;
}

}  // namespace lockstep
