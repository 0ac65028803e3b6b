-- finalized is the answer where the record has a result: without a body it is a tombstone.
local function finalized()
  local response = redis.call('HMGET', key, 'header', 'body')
  if not response[2] then return {'tombstone', now, fence, fingerprint, status} end
  return {'replay', now, fence, fingerprint, status, response[1], response[2]}
end
