import type * as functionHost from "../function-host";
import { onSupportedNode } from "../on-supported-node";

type Host = typeof functionHost;

/** Asks the server, from the program's own process: dynamic providers have no functions. */
export const call: Host["call"] = async (name, args) => (await host()).call(name, args);

/** Refuses arguments as `call` does, without issuing anything. */
export const check: Host["check"] = async (name, args) => (await host()).check(name, args);

const host = (): Promise<Host> => onSupportedNode(() => import("../function-host.js"));
