// How: as all.py, by Node's net and dgram.
// Expected: exited 0, "tried"; nothing arrives.
const net = require('net');
const dgram = require('dgram');
const [token, tcp4, udp4, dns, tcp6, udp6, abstract] = process.argv.slice(2);
const over = (where) =>
  new Promise((resolve) => {
    const socket = net.connect(where, () => socket.end(token));
    socket.on('error', resolve).on('close', resolve).resume();
  });
const datagram = (kind, port, host) =>
  new Promise((resolve) => {
    const socket = dgram.createSocket(kind);
    socket.on('error', resolve);
    socket.send(token, Number(port), host, () => socket.close(resolve));
  });
Promise.all([
  over({ host: '127.0.0.1', port: Number(tcp4) }),
  over({ host: '::1', port: Number(tcp6) }),
  over({ path: '\0' + abstract }),
  datagram('udp4', udp4, '127.0.0.1'),
  datagram('udp4', dns, '127.0.0.1'),
  datagram('udp6', udp6, '::1'),
]).then(() => console.log('tried'));
