--- Lua's `coroutine` for files of the user's own, which run within coroutines of Portolan's (portolan.predictor.machinery.task): these must not be
-- given way by anybody else.
-- @module portolan.support.own_coroutines

--- A library of its own for a file.
-- @treturn table as `coroutine`; `yield` raises an error outside of the coroutines that `create` and `wrap` of it have made
return function()
  local library, theirs = {}, setmetatable({}, { __mode = "k" })
  for name, f in pairs(coroutine) do library[name] = f end
  function library.create(f)
    local thread = coroutine.create(f)
    theirs[thread] = true
    return thread
  end
  function library.wrap(f)
    return coroutine.wrap(function(...)
      theirs[coroutine.running()] = true
      return f(...)
    end)
  end
  function library.yield(...)
    if not theirs[coroutine.running()] then error("attempt to yield from outside a coroutine", 2) end
    return coroutine.yield(...)
  end
  return library
end
