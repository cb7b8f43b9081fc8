// What programs do that tests call: classes, closures, callbacks, promises, generators, errors.
class ValidationError extends Error { constructor(m, field){ super(m); this.name='ValidationError'; this.field=field; } }
class Node1 { constructor(v){ this.value=v; this.next=null; } }
class Stack { #n=0; constructor(){ this.items=[]; } push(x){ this.items.push(x); this.#n++; return this; } pop(){ if(!this.items.length) throw new RangeError('empty'); return this.items.pop(); } get size(){ return this.items.length; } isEmpty(){ return this.items.length===0; } includes(x){ return this.items.includes(x);} *[Symbol.iterator](){ yield* this.items; } static of(...a){ const s=new Stack(); a.forEach(x=>s.push(x)); return s; } }
class Point { constructor(x,y){ this.x=x; this.y=y; } add(p){ return new Point(this.x+p.x,this.y+p.y); } }
function createCounter(){ let n=0; return { inc(){ return ++n; }, get value(){ return n; } }; }
function debounce(fn, ms){ let t; return (...a)=>{ clearTimeout(t); t=setTimeout(()=>fn(...a), ms); }; }
const memo = fn => { const m=new Map(); return x => m.has(x)?m.get(x):(m.set(x,fn(x)),m.get(x)); };
const compose=(...f)=>x=>f.reduceRight((a,g)=>g(a),x);
function validate(u){ if(!u.name) throw new ValidationError('name is required','name'); return true; }
async function fetchUser(api,id){ const r=await api.get('/u/'+id); return {...r, fetched:true}; }
function* range(n){ for(let i=0;i<n;i++) yield i; }
async function* arange(n){ for(let i=0;i<n;i++) yield i; }
const list=(a)=>{ let h=null; for(const v of [...a].reverse()){ const n=new Node1(v); n.next=h; h=n; } return h; };
const echo=x=>x;
const group=(a,f)=>{ const m=new Map(); for(const x of a){ const k=f(x); m.set(k,[...(m.get(k)||[]),x]); } return m; };
function greet(n){ console.log(`Hello, ${n}!`); }
function sort(a){ a.sort((x,y)=>x-y); return a; }
class Emitter { constructor(){ this.h={}; } on(e,f){ (this.h[e]??=[]).push(f); return this; } off(e,f){ this.h[e]=(this.h[e]||[]).filter(x=>x!==f); } emit(e,...a){ (this.h[e]||[]).forEach(f=>f(...a)); } }
class LRU extends Map {}
module.exports={ValidationError,Stack,Point,createCounter,debounce,memo,compose,validate,fetchUser,range,arange,list,echo,group,greet,sort,Emitter,LRU,PI:3.14,CONFIG:{a:[1,{b:2}]},shallow:o=>({...o}),deep:o=>structuredClone(o), swap:o=>{ [o.a,o.b]=[o.b,o.a]; }, big:()=>2n**70n, sleep:(ms)=>new Promise(r=>setTimeout(r,ms)), utils:{isEven:n=>n%2===0, nested:{f:()=>1}}, retry: async (f,n)=>{ for(let i=0;;i++){ try { return await f(); } catch(e){ if(i>=n-1) throw e; } } } };
