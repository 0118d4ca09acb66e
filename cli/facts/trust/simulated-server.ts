import { isRecord } from "../../../provider/core/unknowns";
import { createCloudIdentity } from "../../../server/cloud/cloud-identity";
import { createMemoryTables } from "../../../server/data/tables";
import { engineCatalog } from "../../../server/engines";
import type { Incoming } from "../../../server/http/exchange";
import { profiles } from "../../../server/profiles/profiles";
import { createSecretsService } from "../../../server/secrets/secrets-service";

/** What the simulated server is asked. */
export interface SimulatedRequest {
  readonly method: "GET" | "POST" | "LIST";
  /** Without `v1/`. */
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly token?: string;
  readonly address?: string;
}

export interface SimulatedAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** An embedded server in this process without a port, with a clock that is set. */
export interface SimulatedServer {
  ask(request: SimulatedRequest): Promise<SimulatedAnswer>;
  /** The time from now on; the present when undefined. */
  setTime(milliseconds: number | undefined): void;
}

export function createSimulatedServer(): SimulatedServer {
  const tables = createMemoryTables();
  let time: number | undefined;
  const clock = () => time ?? Date.now();
  const profile = profiles.vault.secrets;
  const cloud = createCloudIdentity({ now: clock, tables });
  const service = createSecretsService({
    profile,
    catalog: engineCatalog(cloud, { profile, environment: {} }),
    mounts: [],
    now: () => new Date(clock()),
    tables,
  });
  return {
    setTime(milliseconds) {
      time = milliseconds;
    },
    async ask({ method, path, body, token = service.rootToken, address = "127.0.0.1" }) {
      const incoming: Incoming = {
        method,
        path: `/v1/${path}`,
        query: "",
        headers: { host: "127.0.0.1", ...(token === "" ? {} : { "x-vault-token": token }) },
        body: Buffer.from(body === undefined ? "" : JSON.stringify(body)),
        remoteAddress: address,
        localAddress: "127.0.0.1:0",
        clientCertificates: undefined,
        clientGone: () => new AbortController().signal,
      };
      const { status, body: answer } = await service.exchange(incoming);
      const text = String(answer);
      const read: unknown = text === "" ? {} : JSON.parse(text);
      return { status, body: isRecord(read) ? read : {} };
    },
  };
}
