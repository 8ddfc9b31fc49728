/* program.c asks this before GLPK sees a program: GLPK ends the process on much of it. */
#ifndef PTL_MODEL_PROGRAM_CHECK_H
#define PTL_MODEL_PROGRAM_CHECK_H

#include "model/program.h"

/* PTL_BAD_INPUT with the column or row, counted from 1; PTL_LIMIT, PTL_NO_MEMORY. */
ptl_status ptl_program_check(const ptl_program* p, ptl_error* error);

#endif
