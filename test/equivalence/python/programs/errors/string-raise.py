raise 'text'
