module.exports = () => ({ visitor: {} });
