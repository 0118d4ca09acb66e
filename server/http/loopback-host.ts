import { BlockList, isIP } from "node:net";

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8);
loopback.addAddress("::1", "ipv6");

/** Whether the name of a host, without the brackets of IPv6, names this machine: a loopback address or `localhost`. */
export function isLoopbackHost(hostname: string): boolean {
  const family = isIP(hostname);
  return family === 0 ? hostname === "localhost" : loopback.check(hostname, family === 4 ? "ipv4" : "ipv6");
}
