import logging
logging.warning('careful')
logging.getLogger('a.b').error('bad %s', 1)
logging.info('hidden')
