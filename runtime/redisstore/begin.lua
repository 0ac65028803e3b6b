-- ARGV: token, fingerprint, lease in microseconds, the framed key, the fence to take over or 0, and, where the
-- reservation is joined, 1. Numbers are written out where they are stored: Lua itself would write 1.8e+15.
local lease = string.format('%.0f', now + ARGV[3])
if token then
  if fingerprint ~= ARGV[2] then return {'conflict', now, fence, fingerprint} end
  if status then return finalized() end
  if token == ARGV[1] then
    redis.call('HSET', key, 'lease_until', lease)
    return {'reserved', now, fence, fingerprint}
  end
  if now < tonumber(lease_until) then return {'in progress', now, fence, fingerprint} end
  if not joined and fence ~= ARGV[5] then return {'unknown', now, fence, fingerprint} end
end

local next = now
if fence then
  next = math.max(fence + 1, now)
  redis.call('DEL', key) -- with its time to live, where only the fence was left
end
next = string.format('%.0f', next)
redis.call('HSET', key, 'token', ARGV[1], 'fingerprint', ARGV[2], 'lease_until', lease, 'fence', next, 'key', ARGV[4])
if ARGV[6] then redis.call('HSET', key, 'joined', ARGV[6]) end
return {'reserved', now, next, ARGV[2]}
