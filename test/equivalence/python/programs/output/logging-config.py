import logging
logging.basicConfig(level=logging.DEBUG, format='%(levelname)s:%(name)s:%(filename)s:%(lineno)d:%(processName)s:%(threadName)s:%(message)s')
logging.debug('x')
try:
    1 / 0
except ZeroDivisionError:
    logging.exception('failed')
