typedef int ptl_isa_layer; /* replaced by the first real file */
