throw { code: 5 };
