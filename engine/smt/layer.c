typedef int ptl_smt_layer; /* replaced by the first real file */
