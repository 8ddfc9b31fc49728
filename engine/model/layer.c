typedef int ptl_model_layer; /* replaced by the first real file */
