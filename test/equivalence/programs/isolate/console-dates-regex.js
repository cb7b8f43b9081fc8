console.log(new Date(0), new Date(NaN), /a+/gi, [new Date(86400000)], { r: /x/ }, 'abc'.match(/(?<first>b)/), 'aXbX'.match(/X/g));
