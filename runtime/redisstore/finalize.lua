-- ARGV: token, how long to keep the result in milliseconds, and its fields, each a name and a value.
local record = redis.call('HMGET', KEYS[1], 'token', 'status')
if record[1] ~= ARGV[1] then return {'lost'} end
if not record[2] then
  -- Redis refuses to write where its memory is full, but only as the first thing that a script writes. PERSIST
  -- needs no memory and is never refused, so it comes first: a result is not lost for want of room, because its
  -- work is done. The time to live comes last: a short one that was over by now would take the key away, and what
  -- is written then would be another one, without a token.
  redis.call('PERSIST', KEYS[1])
  redis.call('HSET', KEYS[1], unpack(ARGV, 3))
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return {'done'}
