/* A convolution and a product of matrices. gcc makes a loop of vectors of each innermost loop, and, in the loop around it, what is left without a
 * loop: textbook.s is what gcc-12 -O3 -march=haswell -ffast-math -fno-asynchronous-unwind-tables -S makes of them. */
void conv(float* to, const float* in, const float* w, long n, long m) {
    for (long i = 0; i < n; ++i) {
        float s = 0;
        for (long k = 0; k < m; ++k) s += in[i + k] * w[k];
        to[i] = s;
    }
}

void mm(float* to, const float* left, const float* right, long n) {
    for (long i = 0; i < n; ++i)
        for (long k = 0; k < n; ++k)
            for (long j = 0; j < n; ++j) to[n * i + j] += left[n * i + k] * right[n * k + j];
}
