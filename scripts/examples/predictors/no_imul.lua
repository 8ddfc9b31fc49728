-- A tool that crashes on every multiplication by imul: what a campaign with `--interesting crash-one` should find.
return { predict = function(block)
  if block.text:find "%f[%w]imul%f[%W]" then error "assertion failed: no such resource" end
  return #block.schemes / 4
end }
