typedef int ptl_bench_layer; /* replaced by the first real file */
