import { AsyncLocalStorage } from "node:async_hooks";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { plainText } from "../../core/plain-text";
import type { Log } from "../../engine/log";
import { grpc } from "./sdk-copies";

/** Messages to the user. The engine shows them among the diagnostics, beside their resource. */
export interface EngineLog {
  readonly write: Log;
  /** Where the engine listens; before that, and without an engine, the standard error stream is written to. */
  attach(address: string): void;
  /** Does work that is about a resource. */
  about<T>(urn: string, work: () => Promise<T>): Promise<T>;
  /** Waits until the engine has received every message. */
  flush(): Promise<void>;
}

const SEVERITIES = { info: LogSeverity.INFO, warning: LogSeverity.WARNING, status: LogSeverity.INFO } as const;

export function createEngineLog(): EngineLog {
  const urns = new AsyncLocalStorage<string>();
  const pending = new Set<Promise<void>>();
  let engine: EngineClient | undefined;

  function send(client: EngineClient, request: LogRequest): Promise<void> {
    return new Promise((resolve) => {
      // An engine that is gone shows nothing any more.
      client.log(request, () => resolve());
    });
  }

  return {
    write(level, message) {
      if (engine === undefined) {
        process.stderr.write(`${level}: ${plainText(message)}\n`);
        return;
      }
      const request = new LogRequest();
      request.setSeverity(SEVERITIES[level]);
      request.setMessage(plainText(message));
      request.setUrn(urns.getStore() ?? "");
      request.setEphemeral(level === "status");
      const sending = send(engine, request).finally(() => pending.delete(sending));
      pending.add(sending);
    },
    attach(address) {
      engine?.close();
      engine = new EngineClient(address, grpc.credentials.createInsecure());
    },
    async about(urn, work) {
      try {
        return await urns.run(urn, work);
      } finally {
        await Promise.all(pending);
      }
    },
    flush: async () => void (await Promise.all(pending)),
  };
}
