-- vacate removes the record. Its fence stays for so many milliseconds: the next one is above it even where the
-- clock is set back, or where another server with another clock takes over.
local function vacate(remember)
  redis.call('DEL', key)
  redis.call('HSET', key, 'fence', fence)
  redis.call('PEXPIRE', key, remember)
  return {'done'}
end
