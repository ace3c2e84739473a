#pragma once
/// @file
/// What the test programs count.

#include <cstdio>

static int failures = 0;
#define EXPECT(condition)                                                      \
    do {                                                                       \
        if (!(condition)) {                                                    \
            std::printf("line %d: does not hold: %s\n", __LINE__, #condition); \
            ++failures;                                                        \
        }                                                                      \
    } while (0)
