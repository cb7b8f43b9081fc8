require('assert').equal(1, 2, 'not equal');
