/** Whether a name or an address of a host is this machine's own and nobody else's. */
export function isLoopback(host: string): boolean {
  return /^(?:127\.\d+\.\d+\.\d+|::1|localhost)$/.test(host);
}
