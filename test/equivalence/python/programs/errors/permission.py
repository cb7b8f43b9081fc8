open('/etc/new-file', 'w')
