#include "pools.hpp"

#include <algorithm>
#include <vector>

namespace emulator {

handle_registry<memory_pool, cudaMemPool_t> pools;

namespace {

constexpr size_t unit = 512;  // of an allocation

// All pools that there ever were: memory outlives its pool.
std::vector<std::shared_ptr<memory_pool>> known;

uint64_t held(const memory_pool& pool) {
    uint64_t sum = 0;
    for (const auto& [begin, piece] : pool.pieces) sum += piece.bytes;
    return sum;
}

bool reaches(const stream_clock& clock, const pool_piece& piece) {
    const auto found = clock.find(piece.stream);
    return found != clock.end() && found->second >= piece.number;
}

// Whether what was freed may be used again by what a stream does next.
bool reusable(const memory_pool& pool, const pool_piece& piece, const device_stream& stream) {
    return piece.number == 0 || piece.stream == stream.number || reaches(seen_by_host(), piece) ||
           (pool.follows_events && reaches(stream.clock, piece)) ||
           (pool.opportunistic && piece.freed->done);
}

void drop(memory_pool& pool, uintptr_t begin) {
    void* place = reinterpret_cast<void*>(begin);
    pool.pieces.erase(begin);
    find_allocation(place, true)->freed = find_allocation(place, true)->pooled = false;
    release(place);
}

// Gives up pieces that nothing uses any more.
void drop_unused(memory_pool& pool) {
    std::vector<uintptr_t> unused;
    for (const auto& [begin, piece] : pool.pieces)
        if (piece.used == 0 && (piece.number == 0 || piece.freed->done)) unused.push_back(begin);
    for (const uintptr_t begin : unused) drop(pool, begin);
}

uintptr_t best_free(memory_pool& pool, size_t bytes, const device_stream* stream) {
    uintptr_t best = 0;
    for (const auto& [begin, piece] : pool.pieces)
        if (piece.used == 0 && piece.bytes >= bytes &&
            (!stream || reusable(pool, piece, *stream)) &&
            (!best || piece.bytes < pool.pieces.at(best).bytes))
            best = begin;
    return best;
}

uintptr_t grown(memory_pool& pool, size_t bytes) {
    const uint64_t most = pool.properties.maxSize;
    for (const bool again : {false, true}) {
        if (again) drop_unused(pool);
        if (most && held(pool) + bytes > most) continue;
        void* place = allocate(bytes, pool.kind);
        if (!place) continue;
        pool.pieces[uintptr_t(place)] = {bytes, 0};
        set_present(place, bytes, false);  // not before the stream has come so far
        pool.reserved = std::max(pool.reserved, reserved_for(held(pool)));
        pool.reserved_high = std::max(pool.reserved_high, pool.reserved);
        return uintptr_t(place);
    }
    return 0;
}

memory_pool* pool_of(void* place, std::map<uintptr_t, pool_piece>::iterator* found) {
    for (const auto& pool : known) {
        *found = pool->pieces.find(uintptr_t(place));
        if (*found != pool->pieces.end() && (*found)->second.used) return pool.get();
    }
    return nullptr;
}

cudaMemPool_t default_handles[2], current_handles[2];  // of the device and of the host

}  // namespace

cudaMemPool_t new_pool(memory_kind kind, const cudaMemPoolProps& properties) {
    const auto pool = std::make_shared<memory_pool>();
    pool->kind = kind;
    pool->properties = properties;
    return pool->handle = pools.add(pool);
}
cudaMemPool_t default_pool(bool of_host) {
    cudaMemPool_t& handle = default_handles[of_host];
    if (!pools.find(handle)) {
        cudaMemPoolProps properties{};
        properties.allocType = cudaMemAllocationTypePinned;
        properties.location = {of_host ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice, 0};
        handle = current_handles[of_host] =
            new_pool(of_host ? pinned_memory : device_memory, properties);
    }
    return handle;
}
cudaMemPool_t& current_pool(bool of_host) {
    default_pool(of_host);
    cudaMemPool_t& handle = current_handles[of_host];
    if (!pools.find(handle)) handle = default_handles[of_host];
    return handle;
}

void* allocate_from(memory_pool& pool, size_t bytes, device_stream& stream) {
    if (std::none_of(known.begin(), known.end(), [&](auto& one) { return one.get() == &pool; }))
        known.push_back(pool.shared_from_this());
    const size_t wanted = rounded_up(bytes, unit);
    uintptr_t begin = best_free(pool, wanted, &stream);
    if (!begin) begin = grown(pool, wanted);
    if (!begin && pool.internal) {
        begin = best_free(pool, wanted, nullptr);
        if (begin) wait_in_stream(stream, pool.pieces.at(begin).freed);
    }
    if (!begin) return nullptr;
    pool_piece& piece = pool.pieces.at(begin);
    piece.used = wanted;
    pool.used += wanted;
    pool.used_high = std::max(pool.used_high, pool.used);
    void* place = reinterpret_cast<void*>(begin);
    memory_allocation* allocation = find_allocation(place, true);
    allocation->freed = allocation->leaving = false;
    allocation->pooled = true;
    allocation->bytes = bytes;
    enqueue(stream, [=] {
        set_present(place, bytes, true);
        return cudaSuccess;
    });
    return place;
}

bool free_in_stream(void* place, device_stream& stream) {
    std::map<uintptr_t, pool_piece>::iterator found;
    memory_pool* pool = pool_of(place, &found);
    if (!pool) return false;
    pool_piece& piece = found->second;
    pool->used -= piece.used;
    piece.used = 0;
    memory_allocation* allocation = find_allocation(place);
    allocation->leaving = true;
    const size_t bytes = allocation->bytes;
    piece.freed = enqueue(stream, [=] {
        set_present(place, bytes, false);
        memory_allocation* left = find_allocation(place, true);
        if (left && left->leaving) left->freed = true;  // and not given out again
        return cudaSuccess;
    });
    piece.stream = stream.number;
    piece.number = stream.clock[stream.number];
    return true;
}

bool free_to_pool(void* place) {
    std::map<uintptr_t, pool_piece>::iterator found;
    memory_pool* pool = pool_of(place, &found);
    if (!pool) return false;
    pool->used -= found->second.used;
    found->second.used = 0;
    found->second.number = 0;
    memory_allocation* allocation = find_allocation(place);
    set_present(place, allocation->bytes, false);
    allocation->leaving = allocation->freed = true;
    return true;
}

cudaMemPool_t handle_of_pool(void* place) {
    std::map<uintptr_t, pool_piece>::iterator found;
    const memory_pool* pool = pool_of(place, &found);
    return pool ? pool->handle : nullptr;
}

void trim(memory_pool& pool, uint64_t keep) {
    if (pool.reserved <= keep) return;
    drop_unused(pool);
    pool.reserved = std::min(pool.reserved, std::max(reserved_for(held(pool)), reserved_for(keep)));
}

void give_up(memory_pool& pool) {
    pool.destroyed = true;
    pool.threshold = 0;
    trim(pool, 0);
}

void trim_pools() {
    for (const auto& pool : known) trim(*pool, pool->threshold);
    std::erase_if(known, [](const auto& pool) { return pool->destroyed && pool->pieces.empty(); });
}

}  // namespace emulator
