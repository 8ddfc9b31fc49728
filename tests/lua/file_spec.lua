local uv = require "luv"
local appender = require "portolan.support.appender"
local file = require "portolan.support.file"
local process = require "process"
local store = require "portolan.experiment.store"
local temporary = require "portolan.support.temporary"

local names = process.names

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

  it("writes through no link that was planted, neither in its own place nor in that of the temporary file", function()
    process.in_directory(function(d)
      assert(file.write(d .. "/precious", "x"))
      for pid = uv.os_getpid() - 1, uv.os_getpid() + 1 do assert(uv.fs_symlink("precious", ("%s/.a.%d.tmp"):format(d, pid))) end
      assert(file.write(d .. "/a", "1"))
      assert.equal("x", file.read(d .. "/precious"))
      -- names cannot be guessed: each write has another one, and what is there is never opened
      local fd, path = assert(temporary.file(d .. "/", "a", 420))
      uv.fs_close(fd)
      local other, further = assert(temporary.file(d .. "/", "a", 420))
      uv.fs_close(other)
      assert.is_true(path ~= further)
      assert.matches("^%.a%.%d+%.%x%x%x%x%x%x%x%x%x%x%x%x%x%x%x%x%x%x%x%x%.tmp$", path:match "[^/]+$")
      -- a file that only grows
      assert(uv.fs_symlink("precious", d .. "/journal"))
      local opened, message = appender.open(d .. "/journal")
      assert.is_nil(opened)
      assert.equal(("cannot write %s/journal: it is a symbolic link; remove it"):format(d), message)
      assert.equal("x", file.read(d .. "/precious"))
      if uv.getuid() == 0 then -- a link of another user's
        assert(uv.fs_symlink("precious", d .. "/link"))
        assert(uv.fs_lchown(d .. "/link", 65534, 65534))
        local ok, why, status = file.write(d .. "/link", "2")
        assert.same({ nil, nil }, { ok, status })
        assert.equal(("cannot write %s/link: it is a symbolic link of another user; remove it or give what it leads to"):format(d), why)
        assert.is_nil(store.open(d .. "/link"))
        assert.equal("x", file.read(d .. "/precious"))
      end
    end)
  end)

  it("makes files with the permissions that the umask leaves, and keeps those of files that are there", function()
    process.in_directory(function(d)
      local code = ("local f = require 'portolan.support.file' assert(f.write('%s/new', '1')) assert(f.write('%s/old', '1'))"):format(d, d)
      assert(file.write(d .. "/old", "x"))
      assert(uv.fs_chmod(d .. "/old", 438)) -- rw-rw-rw-
      local r = process.run { args = { "sh", "-c", "umask 027; exec lua5.4 -e \"$0\"", code } }
      assert.equal(0, r.status, r.err)
      assert.same({ 416, 438 }, { uv.fs_stat(d .. "/new").mode & 511, uv.fs_stat(d .. "/old").mode & 511 })
    end)
  end)

  it("takes names as long as there are", function()
    process.in_directory(function(d)
      local path = d .. "/" .. ("n"):rep(255)
      assert(file.write(path, "1"))
      assert(file.write(path, "2"))
      assert.equal("2", file.read(path))
      assert.equal(1, #names(d))
    end)
  end)

  it("appends whole lines or none", function()
    process.in_directory(function(d)
      local a = assert(appender.open(d .. "/j"))
      assert(a:write "one\n")
      assert(a:sync())
      a:close()
      local code = ([[
        local a = assert(require("portolan.support.appender").open(%q))
        local ok, message, status = a:write(("x"):rep(5000) .. "\n")
        print(ok, message, status)
        assert(a:write "two\n")]]):format(d .. "/j")
      local r = process.run { args = { "bash", "-c", "trap '' XFSZ; ulimit -f 1; exec lua5.4 -e \"$0\"", code } }
      assert.equal(("nil\tcannot write %s/j: file too large\tsystem error\n"):format(d), r.out, r.err)
      assert.equal("one\ntwo\n", file.read(d .. "/j"))
      a = assert(appender.open(d .. "/j", 4))
      a:close()
      assert.equal("one\n", file.read(d .. "/j"))
    end)
  end)

  it("holds the old or the new contents whenever the writer is killed", function()
    process.in_directory(function(d)
      local path = d .. "/a"
      local code = ([[
        local appender = require "portolan.support.appender"
local file = require "portolan.support.file"
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
