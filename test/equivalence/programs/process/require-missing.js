try { require('lodash'); } catch (e) { console.log(e.code); }
