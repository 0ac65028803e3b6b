-- The first slot of each range of a cluster, and the id of the master that has it; nothing of a single server.
local answer = {}
if not string.find(redis.call('INFO', 'cluster'), 'cluster_enabled:1', 1, true) then return answer end
for _, range in ipairs(redis.call('CLUSTER', 'SLOTS')) do
  answer[#answer + 1] = tostring(range[1])
  answer[#answer + 1] = range[3][3]
end
return answer
