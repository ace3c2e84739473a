// One call copies two boxes from a volume on the host into a volume on the device.

#include <cstdlib>
#include <vector>

#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int edge = 16;

/// The place of a cell in a volume of edge x edge x edge bytes.
std::size_t place(int x, int y, int z) {
    return (std::size_t(z) * edge + y) * edge + x;
}

int main() {
    lockstep::require_device();

    std::vector<unsigned char> volume(edge * edge * edge);
    for (std::size_t i = 0; i < volume.size(); ++i)
        volume[i] = static_cast<unsigned char>(i * 37 % 251 + 1);
    lockstep::device_buffer<unsigned char> target(volume.size());
    target.fill_bytes(0);
    const lockstep::owned_stream stream;
    lockstep::check(cudaDeviceSynchronize());

    // [batch]
    const auto operand = [](unsigned char* corner) {
        cudaMemcpy3DOperand one{};
        one.type = cudaMemcpyOperandTypePointer;
        one.op.ptr.ptr = corner;
        one.op.ptr.rowLength = edge;  // bytes from one row to the next
        one.op.ptr.layerHeight = edge;  // rows from one layer to the next
        return one;
    };
    const struct {
        int x, y, z;
    } corners[] = {{1, 2, 3}, {8, 9, 10}};
    std::vector<cudaMemcpy3DBatchOp> boxes;
    for (const auto& [x, y, z] : corners) {
        cudaMemcpy3DBatchOp box{};
        box.src = operand(volume.data() + place(x, y, z));
        box.dst = operand(target.data() + place(x, y, z));
        box.extent = {4, 3, 2};
        box.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
        boxes.push_back(box);
    }
    lockstep::check(cudaMemcpy3DBatchAsync(boxes.size(), boxes.data(), 0, stream));
    // [/batch]
    lockstep::check(cudaStreamSynchronize(stream));

    std::vector<unsigned char> expected(volume.size());
    for (const auto& [x, y, z] : corners)
        for (int k = 0; k < 2; ++k)
            for (int j = 0; j < 3; ++j)
                for (int i = 0; i < 4; ++i)
                    expected[place(x + i, y + j, z + k)] =
                        volume[place(x + i, y + j, z + k)];
    const std::size_t wrong = lockstep::count_mismatches(target.to_host(), expected);
    lockstep::report("boxes", boxes.size());
    lockstep::report("wrong cells", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
