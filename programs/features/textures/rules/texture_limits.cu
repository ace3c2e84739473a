// How large may a texture be? It depends on what lies under it: an array may be larger
// than pitched memory, and a layered or cubemap array has limits of its own.

#include <cstdlib>

#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// One limit of device 0.
int limit(cudaDeviceAttr attribute) {
    int value = 0;
    lockstep::check(cudaDeviceGetAttribute(&value, attribute, 0));
    return value;
}

int main() {
    lockstep::require_device();
    const auto show = [](const char* what, cudaDeviceAttr attribute) {
        lockstep::report(what, limit(attribute));
    };

    // [arrays]
    show("1-D array", cudaDevAttrMaxTexture1DWidth);
    show("2-D array, width", cudaDevAttrMaxTexture2DWidth);
    show("2-D array, height", cudaDevAttrMaxTexture2DHeight);
    show("2-D gather, width", cudaDevAttrMaxTexture2DGatherWidth);
    show("2-D gather, height", cudaDevAttrMaxTexture2DGatherHeight);
    show("3-D array, width", cudaDevAttrMaxTexture3DWidth);
    show("3-D array, height", cudaDevAttrMaxTexture3DHeight);
    show("3-D array, depth", cudaDevAttrMaxTexture3DDepth);
    show("mipmapped 1-D", cudaDevAttrMaxTexture1DMipmappedWidth);
    show("mipmapped 2-D, width", cudaDevAttrMaxTexture2DMipmappedWidth);
    show("mipmapped 2-D, height", cudaDevAttrMaxTexture2DMipmappedHeight);
    // [/arrays]
    // [layers]
    show("layered 1-D, width", cudaDevAttrMaxTexture1DLayeredWidth);
    show("layered 1-D, layers", cudaDevAttrMaxTexture1DLayeredLayers);
    show("layered 2-D, width", cudaDevAttrMaxTexture2DLayeredWidth);
    show("layered 2-D, height", cudaDevAttrMaxTexture2DLayeredHeight);
    show("layered 2-D, layers", cudaDevAttrMaxTexture2DLayeredLayers);
    show("cubemap, side", cudaDevAttrMaxTextureCubemapWidth);
    show("layered cubemap, side", cudaDevAttrMaxTextureCubemapLayeredWidth);
    show("layered cubemap, layers", cudaDevAttrMaxTextureCubemapLayeredLayers);
    // [/layers]
    // [memory]
    std::size_t linear = 0;
    const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
    lockstep::check(cudaDeviceGetTexture1DLinearMaxWidth(&linear, &floats, 0));
    lockstep::report("linear memory, floats", linear);
    show("pitched memory, width", cudaDevAttrMaxTexture2DLinearWidth);
    show("pitched memory, height", cudaDevAttrMaxTexture2DLinearHeight);
    show("pitched memory, pitch", cudaDevAttrMaxTexture2DLinearPitch);
    show("alignment of the address", cudaDevAttrTextureAlignment);
    show("alignment of the pitch", cudaDevAttrTexturePitchAlignment);
    // [/memory]
    // [surfaces]
    show("surface 1-D", cudaDevAttrMaxSurface1DWidth);
    show("surface 2-D, width", cudaDevAttrMaxSurface2DWidth);
    show("surface 2-D, height", cudaDevAttrMaxSurface2DHeight);
    show("surface 3-D, width", cudaDevAttrMaxSurface3DWidth);
    show("surface 3-D, height", cudaDevAttrMaxSurface3DHeight);
    show("surface 3-D, depth", cudaDevAttrMaxSurface3DDepth);
    show("surface layered 2-D, layers", cudaDevAttrMaxSurface2DLayeredLayers);
    show("surface cubemap, side", cudaDevAttrMaxSurfaceCubemapWidth);
    show("alignment of a surface", cudaDevAttrSurfaceAlignment);
    // [/surfaces]

    // what every device of compute capability 7.5 or newer has at least
    const bool right = limit(cudaDevAttrMaxTexture1DWidth) >= 131072 &&
                       limit(cudaDevAttrMaxTexture2DWidth) >= 131072 &&
                       limit(cudaDevAttrMaxTexture2DHeight) >= 65536 &&
                       limit(cudaDevAttrMaxTexture3DWidth) >= 16384 && linear > 0;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
