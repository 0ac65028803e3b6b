-- ARGV: token, lease in microseconds.
if token ~= ARGV[1] or status then return {'lost'} end
-- There is nothing to persist. It is never refused, and after it HSET is not either: see finalize.
redis.call('PERSIST', key)
redis.call('HSET', key, 'lease_until', string.format('%.0f', now + ARGV[2]))
return {'done'}
