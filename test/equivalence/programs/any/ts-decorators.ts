function d(t: any, c: any) {} class A { @d m() {} } console.log('x');
