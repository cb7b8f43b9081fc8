console.log(new URL('http://a.b/c?d=1').searchParams.get('d'));
