-- ARGV: where SCAN goes on, or '' to look at KEYS[1] alone; the prefix of the records' keys.
-- The answer is where SCAN goes on next and, for each unknown record, its Redis key and four fields.
local answer = {'0'}

local function look(key)
  local r = redis.pcall('HMGET', key, 'fence', 'fingerprint', 'lease_until', 'key', 'joined', 'status')
  -- Another program's key, one that is vacant, a joined record, a result, a live lease.
  if r.err or not r[3] or r[5] or r[6] or now < tonumber(r[3]) then return end
  answer[#answer + 1] = key
  for i = 1, 4 do answer[#answer + 1] = r[i] end
end

if ARGV[1] == '' then
  look(KEYS[1])
  return answer
end

local prefix = ARGV[2] .. '{'
local scanned = redis.call('SCAN', ARGV[1], 'COUNT', 100)
answer[1] = scanned[1]
for _, key in ipairs(scanned[2]) do
  if string.sub(key, 1, #prefix) == prefix then look(key) end
end
return answer
