if not token then return {'absent', now} end
if status then return finalized() end
if now < tonumber(lease_until) then return {'in progress', now, fence, fingerprint} end
if joined then return {'absent', now} end
return {'unknown', now, fence, fingerprint}
