import { describe } from "vitest";
import { startForTests } from "../server/frame-harness.ts";
import { createOidcBench } from "../support/oidc-bench.ts";
import { describeLoginCommand } from "../support/oidc-command-suite.ts";

describe("trustplane login", () =>
  describeLoginCommand(async () => {
    const server = await startForTests({ issuer: true });
    return { ...createOidcBench(server.secrets, server), address: server.secrets.address };
  }));
