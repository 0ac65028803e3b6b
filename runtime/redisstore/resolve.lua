-- ARGV: the fence; how long to remember it in milliseconds, and nothing more, where the record is to be
-- released; otherwise how long to keep the result, and its fields, the first of which is a token: that of who
-- resolves, by which the same call again is known, and a late owner's is none any more.
local release = #ARGV == 2
if token and not status and not joined and now >= tonumber(lease_until) and fence == ARGV[1] then
  if release then return vacate(ARGV[2]) end
  redis.call('PERSIST', key) -- in this order: see finalize
  redis.call('HSET', key, unpack(ARGV, 3))
  redis.call('PEXPIRE', key, ARGV[2])
  return {'done'}
end
if release and not token or not release and status and token == ARGV[4] then return {'done'} end
return {'lost'}
