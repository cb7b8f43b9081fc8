console.log(require.main === module, module.exports, module.id, typeof require.resolve === 'function' || 'x'); if (require.main === module) console.log('main');
