// Objects of the program that graphs keep.

#include <memory>

#include "entry.hpp"
#include "graphs.hpp"

using namespace emulator;

static handle_registry<user_object, cudaUserObject_t> user_objects;

template <class F>
static cudaError_t with_object(cudaUserObject_t handle, F&& body) {
    return enter([&] {
        const std::shared_ptr<user_object> object = user_objects.find(handle);
        return object ? body(object) : cudaErrorInvalidValue;
    });
}

extern "C" {

cudaError_t cudaUserObjectCreate(cudaUserObject_t* made, void* data, cudaHostFn_t destroy,
                                 unsigned count, unsigned flags) {
    return enter([=] {
        if (!made || !destroy || count == 0 || flags != cudaUserObjectNoDestructorSync)
            return cudaErrorInvalidValue;
        *made = user_objects.add(std::make_shared<user_object>(user_object{data, destroy, count}));
        return cudaSuccess;
    });
}
cudaError_t cudaUserObjectRetain(cudaUserObject_t handle, unsigned count) {
    return with_object(handle, [=](const std::shared_ptr<user_object>& object) {
        if (count == 0) return cudaErrorInvalidValue;
        object->references += count;
        return cudaSuccess;
    });
}
cudaError_t cudaUserObjectRelease(cudaUserObject_t handle, unsigned count) {
    return with_object(handle, [=](const std::shared_ptr<user_object>& object) {
        if (count == 0 || count > object->references) return cudaErrorInvalidValue;
        release_user_object(object, count);
        return cudaSuccess;
    });
}
cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph_handle, cudaUserObject_t handle,
                                      unsigned count, unsigned flags) {
    return with_object(handle, [=](const std::shared_ptr<user_object>& object) {
        const std::shared_ptr<task_graph> graph = graphs.find(graph_handle);
        if (!graph || count == 0 || flags & ~unsigned(cudaGraphUserObjectMove))
            return cudaErrorInvalidValue;
        graph->user_objects[object] += count;
        if (!(flags & cudaGraphUserObjectMove)) object->references += count;
        return cudaSuccess;
    });
}
cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph_handle, cudaUserObject_t handle,
                                       unsigned count) {
    return with_object(handle, [=](const std::shared_ptr<user_object>& object) {
        const std::shared_ptr<task_graph> graph = graphs.find(graph_handle);
        if (!graph || count == 0 || graph->user_objects[object] < count)
            return cudaErrorInvalidValue;
        graph->user_objects[object] -= count;
        release_user_object(object, count);
        return cudaSuccess;
    });
}

}  // extern "C"
