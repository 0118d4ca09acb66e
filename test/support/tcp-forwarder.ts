import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A loopback address in front of another one, whose connections can be cut. */
export interface TcpForwarder {
  /** `host:port`. */
  readonly address: string;
  /** Ends every connection and takes no new one. */
  cut(): Promise<void>;
  /** Listens again, at the same address. */
  mend(): Promise<void>;
  /** Keeps the connections open and carries nothing more on them. */
  freeze(): void;
  /** How many connections it has taken. */
  taken(): number;
}

/** Forwards to `host:port`. Call `cut` at the end. */
export async function openForwarder(target: string): Promise<TcpForwarder> {
  const [host, targetPort] = target.split(":");
  const sockets = new Set<Socket>();
  let taken = 0;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    // The other half goes with it.
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
  };
  const server = createServer((near) => {
    taken += 1;
    const far = connect(Number(targetPort), host);
    for (const socket of [near, far]) keep(socket);
    near.on("close", () => far.destroy());
    far.on("close", () => near.destroy());
    near.pipe(far).pipe(near);
  });
  let port = 0;
  const listen = () => new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  await listen();
  // A listening TCP server has an AddressInfo.
  port = (server.address() as AddressInfo).port;
  return {
    address: `127.0.0.1:${port}`,
    cut: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
    mend: listen,
    freeze() {
      for (const socket of sockets) socket.unpipe().pause();
    },
    taken: () => taken,
  };
}
