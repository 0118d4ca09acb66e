import { describe } from "vitest";
import { createOidcBench } from "../support/oidc-bench";
import { describeOidcLogins } from "../support/oidc-login-suite";
import { startForTests } from "./frame-harness";

describe("the embedded server", () => {
  describeOidcLogins(async () => {
    const server = await startForTests({ issuer: true });
    return createOidcBench(server.secrets, server);
  });
});
