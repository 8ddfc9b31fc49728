/* Declares what the parts of core.predict share. */
#ifndef PTL_LUA_PREDICT_BIND_H
#define PTL_LUA_PREDICT_BIND_H

#include "lua/bind.h"
#include "predict/block_bounds.h"

/* A model of blocks as Lua holds it. Its user values: the mapping; a list of the units' names. */
typedef struct ptl_lua_block_model {
    ptl_block_model model;
    ptl_block_work work; /* of single questions */
} ptl_lua_block_model;

enum { PTL_LUA_MODEL_MAPPING = 1, PTL_LUA_MODEL_UNITS = 2, PTL_LUA_MODEL_VALUES = 2 };

ptl_lua_block_model* ptl_lua_check_block_model(lua_State* L, int index);

/* core.predict.model(mapping, facts): pushes a model, or nil, message, status. */
int ptl_lua_block_model_new(lua_State* L);

/* The fields `aliasing` and `start` of the options at index. */
ptl_premises ptl_lua_premises(lua_State* L, int index);

extern const ptl_lua_class ptl_lua_block_model_class;

#endif
