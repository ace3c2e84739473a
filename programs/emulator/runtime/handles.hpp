// Handles: every object that the API gives out is registered, and a handle that is none is found
// out.
#pragma once

#include <map>
#include <memory>

#include "runtime.hpp"

namespace emulator {

// A handle's value is given out once, and is no address that a program could have.
uintptr_t new_handle_value();

// Counts the contexts: a handle of an earlier one is known, and of no more use.
unsigned handle_generation();
void orphan_handles();  // cudaDeviceReset

template <class T, class handle_type>
class handle_registry {
public:
    handle_type add(std::shared_ptr<T> object) {
        const uintptr_t value = new_handle_value();
        entries_[value] = {std::move(object), handle_generation()};
        return reinterpret_cast<handle_type>(value);
    }
    // Null for a handle that is null, stale, of another kind, or from before a reset.
    std::shared_ptr<T> find(handle_type handle) const {
        const auto found = entries_.find(reinterpret_cast<uintptr_t>(handle));
        const bool lives =
            found != entries_.end() && found->second.generation == handle_generation();
        return lives ? found->second.object : nullptr;
    }
    bool orphaned(handle_type handle) const {
        const auto found = entries_.find(reinterpret_cast<uintptr_t>(handle));
        return found != entries_.end() && found->second.generation != handle_generation();
    }
    // False if there is no such handle; one from before a reset is one.
    bool remove(handle_type handle) {
        return entries_.erase(reinterpret_cast<uintptr_t>(handle)) != 0;
    }
    template <class F>
    void for_each(F&& act) {
        for (auto& [value, entry] : entries_)
            if (entry.generation == handle_generation()) act(*entry.object);
    }

private:
    struct entry {
        std::shared_ptr<T> object;
        unsigned generation;
    };
    std::map<uintptr_t, entry> entries_;
};

}  // namespace emulator
