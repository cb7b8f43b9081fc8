open('/nonexistent/file')
