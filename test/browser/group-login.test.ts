import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe } from "vitest";
import { startEmbeddedServer } from "../../tools/demo/embedded-server.mts";
import { describeGroupLogins } from "../support/group-login-suite.ts";
import { createOidcBench } from "../support/oidc-bench.ts";

// @covers jwt: What the service does > group aliases
describe("at what `trustplane serve --issuer` runs,", () =>
  describeGroupLogins(async () => {
    const folder = mkdtempSync(join(tmpdir(), "trustplane-groups-"));
    const server = await startEmbeddedServer("groups", { folder, mayBeKept: false, flags: ["--issuer"] });
    afterAll(async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    });
    return { ...createOidcBench(server.secrets, server), secrets: server.secrets };
  }));
