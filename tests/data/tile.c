/* Rows of 32 times a matrix. clang runs the innermost loop as one pass of vectors without a loop, and beside it as a loop of single numbers, for
 * arrays that overlap: tile.s is what clang-14 -O3 -mavx2 -mfma -ffast-math -fno-asynchronous-unwind-tables -S makes of it. */
void tile(float* to, const float* left, const float* right, long n) {
    for (long i = 0; i < n; ++i)
        for (long k = 0; k < n; ++k)
            for (long j = 0; j < 32; ++j) to[32 * i + j] += left[n * i + k] * right[32 * k + j];
}
