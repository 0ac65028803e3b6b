return {redis.call('INFO', 'replication'), redis.call('INFO', 'memory'), redis.call('INFO', 'persistence')}
