import { randomBytes } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { onTestFinished } from "vitest";
import { type HostName, hosts, type ResourceName } from "./contract-host.ts";
import type { ServiceAddress } from "./contract-servers.ts";
import { createStack, type Stack } from "./contract-stack.ts";
import { passOn, serve } from "./loopback-server.ts";

/** A request as the server got it, whole: for tests of which requests carry a token, or another secret. */
export interface WitnessedRequest {
  readonly line: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface WitnessedStack {
  readonly stack: Stack;
  readonly requests: readonly WitnessedRequest[];
  log(): readonly string[];
}

export interface WitnessedOptions {
  readonly host: HostName;
  readonly resource: ResourceName;
  readonly service: "secrets" | "cluster";
  readonly at: ServiceAddress;
}

/** A program of one resource, with a witness between it and the server. It ends with the test. */
export async function openWitnessedStack({ host, resource, service, at }: WitnessedOptions): Promise<WitnessedStack> {
  const { address, requests } = await openWitness(at.address);
  const tokenEnv = `TRUSTPLANE_WITNESS_${randomBytes(6).toString("hex")}`;
  process.env[tokenEnv] = at.token;
  onTestFinished(() => {
    delete process.env[tokenEnv];
  });
  const config = { [service]: JSON.stringify({ address, tokenEnv }) };
  const run = hosts[host]({ resource, config });
  return { stack: createStack(run), requests, log: () => run.log() };
}

async function openWitness(target: string) {
  const requests: WitnessedRequest[] = [];
  const { origin } = await serve(async (incoming, outgoing) => {
    const body = await passOn(target, incoming, outgoing);
    requests.push({ line: `${incoming.method} ${incoming.url}`, headers: incoming.headers, body });
  });
  return { address: origin, requests };
}
