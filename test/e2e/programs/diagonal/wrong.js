// Dies at the first query.
throw new Error('not implemented');
