"""CUDA's words are colored as what they are."""

import pytest
from pygments.token import Keyword, Name, String

from lockstep_sphinx.listing.lexer import Lexer

CODE = """
template <class T> __global__ __launch_bounds__(256) void k(const float* __restrict__ x, std::size_t n, int thread) {
    __shared__ alignas(16) float tile[32];
    alignas(128) __shared__ std::byte raw[4];
    const size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    std::uint64_t q = __ballot_sync(0xffffffffu, x[i] > 1.0f);
    atomicAdd(&tile[0], 1.0f); dim3 grid(4); float4 v; __half2 h; cudaStream_t s; cudaMalloc(&p, thread);
}
"""
TOKENS = list(Lexer().get_tokens(CODE))


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (Name, ["thread", "cudaMalloc", "cudaStream_t", "tile"]),
        (Keyword, ["alignas", "const", "template"]),
        (Keyword.Reserved, ["__global__", "__launch_bounds__", "__shared__", "__restrict__"]),
        (Keyword.Type, ["size_t", "uint64_t", "byte", "dim3", "float4", "__half2", "float", "int"]),
        (Name.Builtin, ["blockIdx", "threadIdx", "blockDim", "__ballot_sync", "atomicAdd"]),
    ],
)
def test_each_word_is_of_one_kind_wherever_it_stands(kind, words):
    for word in words:
        found = {token for token, value in TOKENS if value == word}
        assert found == {kind}, word


def test_word_that_is_a_type_or_a_variable_is_told_by_what_stands_around_it():
    code = 'void f(const half* x, half y, std::byte* raw) { for (int half = n / 2; half > 0; half /= 2) x[half * 2] = half + y; puts("half"); }'
    kinds = [token for token, value in Lexer().get_tokens(code) if value in ("half", "byte")]
    assert kinds == [Keyword.Type] * 3 + [Name] * 5 + [String]


def test_text_is_left_as_it_is():
    assert "".join(value for _, value in TOKENS) == CODE.lstrip("\n")
