-- Four instructions a cycle, whatever they are.
return { name = "quarter", predict = function(block) return #block.schemes / 4 end }
