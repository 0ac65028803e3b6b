-- The scripts that need the time begin with this: the server's clock in microseconds since 1970, which a double
-- counts one by one until the year 2255.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
