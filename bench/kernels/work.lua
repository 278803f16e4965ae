-- What `bench engine` has Lua do: calls, tables, strings, closures, sorting, patterns.
local function fibonacci(n) return n < 2 and n or fibonacci(n - 1) + fibonacci(n - 2) end
print("fibonacci", fibonacci(22))

local sieve, primes = {}, 0
for i = 2, 20000 do
  if not sieve[i] then
    primes = primes + 1
    for j = i * i, 20000, i do sieve[j] = true end
  end
end
print("primes", primes)

local state, numbers = 1, {}
for i = 1, 5000 do
  state = (state * 1103515245 + 12345) % 2147483648
  numbers[i] = state
end
table.sort(numbers, function(a, b) return a > b end)
print("sorted", numbers[1], numbers[#numbers])

local words = {}
for i = 1, 2000 do words[i] = ("word%d"):format(i % 97) end
local counts, text = {}, table.concat(words, " ")
for word in text:gmatch("%a+%d+") do counts[word] = (counts[word] or 0) + 1 end
print("counted", counts.word13, #text, (text:gsub("word1", "term")):sub(1, 40))

local Account = {}
Account.__index = Account
function Account.new() return setmetatable({ balance = 0.0 }, Account) end
function Account:deposit(amount) self.balance = self.balance * 1.0001 + amount end
local account = Account.new()
for i = 1, 20000 do account:deposit(i % 7) end
print(("balance %.6f"):format(account.balance))
