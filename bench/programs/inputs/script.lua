-- Closures, tables, strings, coroutines and errors that are caught.
local function fibonacci(n) return n < 2 and n or fibonacci(n - 1) + fibonacci(n - 2) end
print("fibonacci", fibonacci(15))

local words = {}
for word in ("the tea is hot and the ships are late"):gmatch("%a+") do words[#words + 1] = word end
table.sort(words)
print(table.concat(words, " "))

local produce = coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i * i) end end)
print(produce(), produce(), produce())

print(select(2, pcall(function() error({ code = 7 }) end)).code)
print(select(2, pcall(function() error("deep", 2) end)))
local ok, message = pcall(function() local nothing; return nothing.field end)
print(ok, message)
print(string.format("%5.2f %x %q", 3.14159, 255, "a\nb"))
