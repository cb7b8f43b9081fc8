try { JSON.parse('{bad'); } catch (e) { console.log(e.name, e.message); }
try { BigInt(1.5); } catch (e) { console.log(e.message); } try { null.foo(); } catch (e) { console.log(e.message); } try { x; let x; } catch (e) { console.log(e.message); }
try { [].reduce((a) => a); } catch (e) { console.log(e.message); } try { new Array(-1); } catch (e) { console.log(e.message); } try { 'x'.repeat(-1); } catch (e) { console.log(e.message); }
