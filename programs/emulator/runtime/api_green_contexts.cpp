// Green contexts as the driver API makes, asks and destroys them.

#include <algorithm>
#include <cstdio>

#include "captures.hpp"
#include "events.hpp"
#include "green_contexts.hpp"
#include "handles.hpp"

namespace emulator {

namespace {

struct resource_description {
    sm_bits sms;
    unsigned stated;
};

handle_registry<green_context, CUgreenCtx> contexts;
handle_registry<resource_description, CUdevResourceDesc> descriptions;
handle_registry<green_context, CUcontext> converted;
unsigned long long contexts_made;

using context_stack = std::vector<std::shared_ptr<green_context>>;
// What a thread has made current; null is the primary context.
context_stack& current() {
    thread_local context_stack* const own = new context_stack();
    return *own;
}

CUcontext primary() {
    static char context;
    return reinterpret_cast<CUcontext>(&context);
}

std::shared_ptr<const std::vector<unsigned>> places_of(const sm_bits& sms) {
    auto places = std::make_shared<std::vector<unsigned>>();
    for (unsigned sm = 0; sm < sms.size(); ++sm)
        if (sms[sm]) places->push_back(sm);
    return places;
}

CUdevResource resource_in(const green_context& context) {
    return resource_of(context.sms, context.stated, hardware::sm_group_unit,
                       hardware::sm_group_unit);
}

template <class F>
CUresult with_green(CUgreenCtx handle, F&& body) {
    return in_driver([&] {
        const std::shared_ptr<green_context> context = contexts.find(handle);
        return context ? body(context) : CUDA_ERROR_INVALID_CONTEXT;
    });
}

// What the streams of a context have been asked for.
std::vector<work_item> work_of(const green_context& context) {
    std::vector<work_item> all;
    for (const cudaStream_t handle : context.streams)
        if (const device_stream* stream = stream_of(handle); stream && stream->busy())
            all.push_back(stream->last);
    return all;
}

}  // namespace

std::shared_ptr<green_context> current_green_context() {
    return current().empty() ? nullptr : current().back();
}

void adopt_stream(const std::shared_ptr<green_context>& context, cudaStream_t handle) {
    device_stream& stream = *stream_of(handle);
    stream.green = context;
    context->streams.push_back(handle);
    for (const work_item& work : context->awaited) wait_in_stream(stream, work);
}

}  // namespace emulator

using namespace emulator;

extern "C" {

CUresult cuDevResourceGenerateDesc(CUdevResourceDesc* made, CUdevResource* resources,
                                   unsigned count) {
    return in_driver([=] {
        if (!made || !resources || count == 0) return CUDA_ERROR_INVALID_VALUE;
        resource_description description{};
        for (unsigned i = 0; i < count; ++i) {
            if (!is_of_sms(resources[i])) return CUDA_ERROR_INVALID_RESOURCE_TYPE;
            description.sms |= sms_of(resources[i]);
            description.stated += resources[i].sm.smCount;
        }
        description.stated = std::min(description.stated, unsigned(hardware::multiprocessors));
        *made = descriptions.add(std::make_shared<resource_description>(description));
        return CUDA_SUCCESS;
    });
}

CUresult cuGreenCtxCreate(CUgreenCtx* made, CUdevResourceDesc handle, CUdevice device,
                          unsigned flags) {
    return in_driver([=] {
        const std::shared_ptr<resource_description> description = descriptions.find(handle);
        if (!made || !description || flags != CU_GREEN_CTX_DEFAULT_STREAM)
            return CUDA_ERROR_INVALID_VALUE;
        if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
        if (const cudaError_t error = admitted()) return CUresult(error);
        auto context = std::make_shared<green_context>();
        context->id = ++contexts_made;
        context->sms = description->sms;
        context->stated = description->stated;
        context->places = places_of(context->sms);
        context->converted = converted.add(context);
        *made = context->handle = contexts.add(context);
        return CUDA_SUCCESS;
    });
}

CUresult cuGreenCtxDestroy(CUgreenCtx handle) {
    return with_green(handle, [=](const std::shared_ptr<green_context>& context) {
        for (const work_item& work : work_of(*context)) finish(work);
        for (const cudaStream_t each : context->streams)
            if (device_stream* stream = stream_of(each)) stream->orphan = true;
        converted.remove(context->converted);
        contexts.remove(handle);
        return CUresult(sticky);
    });
}

CUresult cuGreenCtxGetDevResource(CUgreenCtx handle, CUdevResource* made, CUdevResourceType type) {
    return with_green(handle, [=](const std::shared_ptr<green_context>& context) {
        if (!made) return CUDA_ERROR_INVALID_VALUE;
        if (type != CU_DEV_RESOURCE_TYPE_SM) return CUDA_ERROR_INVALID_RESOURCE_TYPE;
        *made = resource_in(*context);
        return CUDA_SUCCESS;
    });
}

CUresult cuGreenCtxGetId(CUgreenCtx handle, unsigned long long* id) {
    return with_green(handle, [=](const std::shared_ptr<green_context>& context) {
        if (!id) return CUDA_ERROR_INVALID_VALUE;
        *id = context->id;
        return CUDA_SUCCESS;
    });
}

CUresult cuGreenCtxStreamCreate(CUstream* made, CUgreenCtx handle, unsigned flags, int priority) {
    return with_green(handle, [=](const std::shared_ptr<green_context>& context) {
        if (!made || flags != CU_STREAM_NON_BLOCKING) return CUDA_ERROR_INVALID_VALUE;
        const cudaStream_t stream =
            new_stream(false, std::clamp(priority, hardware::greatest_stream_priority,
                                         hardware::least_stream_priority));
        adopt_stream(context, stream);
        *made = reinterpret_cast<CUstream>(stream);
        return CUDA_SUCCESS;
    });
}

CUresult cuStreamGetGreenCtx(CUstream handle, CUgreenCtx* found) {
    return in_driver([=] {
        const device_stream* stream = stream_of(reinterpret_cast<cudaStream_t>(handle));
        if (!found) return CUDA_ERROR_INVALID_VALUE;
        if (!stream) return CUDA_ERROR_INVALID_HANDLE;
        if (stream->orphan) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
        *found = stream->green ? stream->green->handle : nullptr;
        return CUDA_SUCCESS;
    });
}

CUresult cuGreenCtxRecordEvent(CUgreenCtx handle, CUevent wanted) {
    return with_green(handle, [=](const std::shared_ptr<green_context>& context) {
        const std::shared_ptr<device_event> event =
            events.find(reinterpret_cast<cudaEvent_t>(wanted));
        if (!event) return CUDA_ERROR_INVALID_HANDLE;
        event->captured = nullptr;
        event->recorded = put_apart(note_time(event, ++event->records), work_of(*context), 0);
        event->clock = {};
        for (const cudaStream_t each : context->streams)
            if (const device_stream* stream = stream_of(each)) merge(event->clock, stream->clock);
        return CUDA_SUCCESS;
    });
}

CUresult cuGreenCtxWaitEvent(CUgreenCtx handle, CUevent wanted) {
    return with_green(handle, [=](const std::shared_ptr<green_context>& context) {
        const std::shared_ptr<device_event> event =
            events.find(reinterpret_cast<cudaEvent_t>(wanted));
        if (!event) return CUDA_ERROR_INVALID_HANDLE;
        if (!event->recorded) return CUDA_SUCCESS;
        context->awaited.push_back(event->recorded);
        for (const cudaStream_t each : context->streams)
            if (device_stream* stream = stream_of(each)) {
                wait_in_stream(*stream, event->recorded);
                merge(stream->clock, event->clock);
            }
        return CUDA_SUCCESS;
    });
}

// -- contexts that are current

CUresult cuCtxFromGreenCtx(CUcontext* made, CUgreenCtx handle) {
    return with_green(handle, [=](const std::shared_ptr<green_context>& context) {
        if (!made) return CUDA_ERROR_INVALID_VALUE;
        *made = context->converted;
        return CUDA_SUCCESS;
    });
}

CUresult cuCtxGetCurrent(CUcontext* found) {
    return in_driver([=] {
        if (!found) return CUDA_ERROR_INVALID_VALUE;
        const std::shared_ptr<green_context> green = current_green_context();
        *found = green ? green->converted : context_exists() ? primary() : nullptr;
        return CUDA_SUCCESS;
    });
}

CUresult cuCtxPushCurrent(CUcontext context) {
    return in_driver([=] {
        const std::shared_ptr<green_context> green = converted.find(context);
        if (!green && !(context_exists() && context == primary()))
            return CUDA_ERROR_INVALID_CONTEXT;
        current().push_back(green);
        return CUDA_SUCCESS;
    });
}

CUresult cuCtxPopCurrent(CUcontext* popped) {
    return in_driver([=] {
        context_stack& own = current();
        if (own.empty()) return CUDA_ERROR_INVALID_CONTEXT;
        if (popped) *popped = own.back() ? own.back()->converted : primary();
        own.pop_back();
        return CUDA_SUCCESS;
    });
}

CUresult cuCtxGetDevResource(CUcontext wanted, CUdevResource* made, CUdevResourceType type) {
    return in_driver([=] {
        if (!made) return CUDA_ERROR_INVALID_VALUE;
        if (type != CU_DEV_RESOURCE_TYPE_SM) return CUDA_ERROR_INVALID_RESOURCE_TYPE;
        const std::shared_ptr<green_context> green = converted.find(wanted);
        if (!green && !(context_exists() && wanted == primary())) return CUDA_ERROR_INVALID_CONTEXT;
        *made = green ? resource_in(*green) : whole_device();
        return CUDA_SUCCESS;
    });
}

// The primary context's work is that of all.
CUresult cuCtxSynchronize() {
    return by_twin([] {
        const std::shared_ptr<green_context> green = current_green_context();
        if (!green) return cudaDeviceSynchronize();
        return between_captures([&] {
            for (const work_item& work : work_of(*green))
                if (const cudaError_t error = finished(work)) return error;
            for (const cudaStream_t each : green->streams)
                if (const device_stream* stream = stream_of(each)) host_saw(stream->clock);
            return cudaSuccess;
        });
    });
}

CUresult cuStreamQuery(CUstream stream) {
    return by_twin([=] { return cudaStreamQuery(reinterpret_cast<cudaStream_t>(stream)); });
}
CUresult cuStreamSynchronize(CUstream stream) {
    return by_twin([=] { return cudaStreamSynchronize(reinterpret_cast<cudaStream_t>(stream)); });
}
CUresult cuStreamDestroy(CUstream stream) {
    return by_twin([=] { return cudaStreamDestroy(reinterpret_cast<cudaStream_t>(stream)); });
}

// A context of its own the emulator lacks; one with an affinity only MPS has.
CUresult cuCtxCreate(CUcontext* made, CUctxCreateParams* wanted, unsigned, CUdevice device) {
    return in_driver([=] {
        if (!made) return CUDA_ERROR_INVALID_VALUE;
        if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
        if (wanted && wanted->numExecAffinityParams) return CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY;
        fflush(stdout);
        fprintf(stderr,
                "emulator: cuCtxCreate: the emulator lacks contexts besides the primary one\n");
        return CUDA_ERROR_NOT_SUPPORTED;
    });
}
CUresult cuCtxDestroy(CUcontext) {
    return in_driver([] { return CUDA_ERROR_INVALID_CONTEXT; });
}

}  // extern "C"
