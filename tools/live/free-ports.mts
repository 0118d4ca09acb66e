import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * Neighbouring ports that are free now, for a server that cannot choose its own, or that is to start again where it was.
 * They lie below the range that the system gives to outgoing connections, any of which could take one meanwhile.
 */
export async function freePorts(count: number): Promise<number[]> {
  for (;;) {
    const first = randomInt(10_000, 30_000);
    const ports = Array.from({ length: count }, (_, at) => first + at);
    const isFree = await Promise.all(ports.map(isPortFree));
    if (isFree.every(Boolean)) return ports;
  }
}

function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.on("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
