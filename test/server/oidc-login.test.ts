import { describe } from "vitest";
import { describeAuthUrls } from "../support/oidc-address-suite";
import { createOidcBench } from "../support/oidc-bench";
import { describeOidcLogins } from "../support/oidc-login-suite";
import { describeIdTokens } from "../support/oidc-token-suite";
import { startForTests } from "./frame-harness";

const open = async () => {
  const server = await startForTests({ issuer: true });
  return createOidcBench(server.secrets, server);
};

describe("the embedded server", () => describeAuthUrls(open));
describe("a login through a browser at the embedded server", () => describeOidcLogins(open));
describe("what the embedded server takes for an ID token", () => describeIdTokens(open));
