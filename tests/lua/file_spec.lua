local uv = require "luv"
local file = require "portolan.file"
local process = require "process"

local function names(directory)
  local list, scan = {}, uv.fs_scandir(directory)
  for name in function() return uv.fs_scandir_next(scan) end do list[#list + 1] = name end
  table.sort(list)
  return list
end

describe("file", function()
  it("writes and reads any bytes, and leaves nothing else behind", function()
    process.in_directory(function(d)
      for _, text in ipairs { "", "old", ("\0\xff\r\n"):rep(300000) } do
        assert.is_true(file.write(d .. "/a", text))
        assert.equal(text, file.read(d .. "/a"))
      end
      assert.same({ "a" }, names(d))
    end)
  end)

  it("keeps permissions and follows symbolic links", function()
    process.in_directory(function(d)
      assert(file.write(d .. "/a", "1"))
      assert(uv.fs_chmod(d .. "/a", tonumber("640", 8)))
      assert(uv.fs_symlink("a", d .. "/link"))
      assert.is_true(file.write(d .. "/link", "2"))
      assert.equal("2", file.read(d .. "/a"))
      assert.equal("link", uv.fs_lstat(d .. "/link").type)
      assert.equal(tonumber("640", 8), uv.fs_stat(d .. "/a").mode & tonumber("777", 8))
    end)
  end)

  it("says in one line what went wrong, and leaves the old file", function()
    process.in_directory(function(d)
      local function fails(message, value, found)
        assert.is_nil(value)
        assert.equal(message, found)
      end
      fails(("cannot read %s/no: no such file or directory"):format(d), file.read(d .. "/no"))
      fails(("cannot read %s: is a directory"):format(d), file.read(d))
      fails(("cannot write %s: it is a directory"):format(d), file.write(d, "x"))
      fails(("cannot write %s/no/x: no such file or directory"):format(d), file.write(d .. "/no/x", "x"))
      fails("cannot write /dev/full: no space left on device", file.write("/dev/full", "x"))
      assert(file.write(d .. "/f", "x"))
      fails(("cannot make the directory %s/f: file already exists"):format(d), file.make_directory(d .. "/f/x"))
      assert.is_true(file.make_directory(d .. "/p/q/r"))
      assert.is_true(file.make_directory(d .. "/p/q/r"))
    end)
  end)

  it("removes temporary files of processes that were killed, and only these", function()
    process.in_directory(function(d)
      for _, name in ipairs { ".a.4194304999.0f.tmp", ".b.4194304999.0f.tmp", ".a.1.0f.tmp", ".a.x.0f.tmp", ".a.4194304999.tmp" } do
        assert(file.write(d .. "/" .. name, "x"))
      end
      assert(file.write(d .. "/a", "x"))
      assert.same({ ".a.1.0f.tmp", ".a.4194304999.tmp", ".a.x.0f.tmp", ".b.4194304999.0f.tmp", "a" }, names(d))
    end)
  end)

  it("holds the old or the new contents whenever the writer is killed", function()
    process.in_directory(function(d)
      local path = d .. "/a"
      local code = ([[
        local file = require "portolan.file"
        for i = 1, math.huge do assert(file.write(%q, (("%%d\n"):format(i)):rep(200000))) end
      ]]):format(path)
      for round = 1, 12 do
        assert.equal(9, process.run_and_kill({ "lua5.4", "-e", code }, 40 + 17 * round))
        local text = file.read(path)
        if text then
          local line = text:match("^%d+\n")
          assert.equal(line:rep(200000), text)
        end
      end
      assert(file.write(path, "end"))
      assert.same({ "a" }, names(d))
    end)
  end)
end)
