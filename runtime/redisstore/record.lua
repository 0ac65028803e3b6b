-- KEYS[1] is the record, the one key that a verb touches. A field that is not there is false. Without a token there
-- is no record: a fence alone is what is left of one that was released.
local key = KEYS[1]
local record = redis.call('HMGET', key, 'token', 'fence', 'fingerprint', 'joined', 'lease_until', 'status')
local token, fence, fingerprint = record[1], record[2], record[3]
local joined, lease_until, status = record[4], record[5], record[6]
