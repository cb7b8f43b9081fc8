#!/usr/bin/env node
console.log('hashbang');
