-- ARGV: token, how long to remember the fence in milliseconds.
if not token then return {'done'} end
if token ~= ARGV[1] or status then return {'lost'} end
return vacate(ARGV[2])
