// How: as all.js, with types.
// Expected: exited 0, "tried"; nothing arrives.
import net from 'node:net';
import dgram from 'node:dgram';
const [token, tcp4, udp4, dns, tcp6, udp6, abstract] = process.argv.slice(2);
const over = (where: net.NetConnectOpts) =>
  new Promise<unknown>((resolve) => {
    const socket = net.connect(where, () => socket.end(token));
    socket.on('error', resolve).on('close', resolve).resume();
  });
const datagram = (kind: dgram.SocketType, port: string, host: string) =>
  new Promise<unknown>((resolve) => {
    const socket = dgram.createSocket(kind);
    socket.on('error', resolve);
    socket.send(token, Number(port), host, () => socket.close(() => resolve(null)));
  });
Promise.all([
  over({ host: '127.0.0.1', port: Number(tcp4) }),
  over({ host: '::1', port: Number(tcp6) }),
  over({ path: '\0' + abstract }),
  datagram('udp4', udp4, '127.0.0.1'),
  datagram('udp4', dns, '127.0.0.1'),
  datagram('udp6', udp6, '::1'),
]).then(() => console.log('tried'));
