import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { repository } from "../../tools/steps/repository.mjs";
import { createIdentity } from "../support/certificates.ts";
import { rawApi } from "../support/contract-raw.ts";
import { secretsToken } from "../support/documented-policy.ts";
import { needsPulumi } from "../support/pulumi-sandbox.ts";
import { libraries } from "./libraries.ts";
import { openingMs, openStory, type Story } from "./pulumi-story.ts";

/** What is wrong with a connection by name, and what the user reads of the resource that uses it. */
const cases: Readonly<Record<string, string>> = {
  "unset-token":
    "which trustplane:connections.unset-token names in tokenEnv, is empty or not set. Set it: no other token is sent instead.",
  "wrong-token":
    "403 permission denied; invalid token (GET … The token is unknown, expired or revoked; give a new one in WRONG_TOKEN.",
  "weak-token": 'A policy grants it by: path "auth/jwt/role/weak-token" { capabilities = ["create", "update"] }',
  "no-listener": "the connection was refused. Is the server running, and is the address right?",
  "unknown-host": "the host name is not known. Check the address.",
  "https-to-http": "the server does not speak TLS on this port. Write http:// in the address, or the port for https.",
  "http-to-https": "Check whether the port speaks http or https.",
  "unknown-ca": "its certificate is self-signed. Give its CA (caCertFile in trustplane:connections.unknown-ca).",
  "another-product": "That is no answer of this API: check the address. `trustplane doctor` says what is there.",
  "no-mount": "Nothing is mounted there: check the mount path and the namespace.",
  "no-keys":
    "The server itself, not this machine, must reach that address: check the address, the server's DNS and firewall, and the CA that it trusts for it.",
};

describe.each(libraries)("what `pulumi up` says of connections, with %s", needsPulumi(), (library) => {
  let story: Story;
  let secure: Server;

  beforeAll(async () => {
    const { certificate, key } = createIdentity("vault", { addresses: ["127.0.0.1"] });
    secure = createServer({ cert: certificate, key }, (_, response) => response.end("{}"));
    await new Promise<void>((resolve) => secure.listen(0, "127.0.0.1", resolve));
    const { port } = secure.address() as AddressInfo;
    story = await openStory({
      program: { source: programWith(library) },
      env: ({ ours }) => ({ WRONG_TOKEN: "hvs.wrong", GOOD_TOKEN: ours.secrets.token }),
      config: ({ ours: { secrets, cluster } }) => ({
        "trustplane:connections": JSON.stringify(
          connections({
            "unset-token": { address: secrets.address, tokenEnv: "UNSET_TOKEN" },
            "wrong-token": { address: secrets.address, tokenEnv: "WRONG_TOKEN" },
            "weak-token": { address: secrets.address, tokenEnv: "WEAK_TOKEN" },
            "no-listener": { address: "http://127.0.0.1:9" },
            "unknown-host": { address: "https://vault.invalid" },
            "https-to-http": { address: secrets.address.replace("http:", "https:") },
            "http-to-https": { address: `http://127.0.0.1:${port}` },
            "unknown-ca": { address: `https://127.0.0.1:${port}` },
            "another-product": { address: cluster.address },
            "no-mount": { address: secrets.address },
            "no-keys": { address: secrets.address },
          }),
        ),
      }),
    });
    return async () => {
      secure.close();
      await story.close();
    };
  }, openingMs);

  test("names for each what to change, also where the page about doctor says so", async () => {
    const raw = rawApi("secrets", story.ours.secrets);
    const WEAK_TOKEN = await secretsToken(raw, 'path "auth/jwt/role/weak-token" { capabilities = ["read"] }');

    const { text } = await story.pulumi("up --yes --skip-preview --continue-on-error", {
      code: 1,
      env: { WEAK_TOKEN, NAMES: Object.keys(cases).join(" ") },
    });

    const page = readFileSync(join(repository, "docs/doctor.md"), "utf8").replaceAll("\\|", "|");
    for (const [name, said] of Object.entries(cases)) {
      const lines = text.split("\n").filter((line) => line.includes(`${name} **creating failed**`));
      expect(lines, name).toHaveLength(1);
      // Which request of a run is the first to be refused is chance.
      for (const part of said.split("…")) {
        expect(lines[0], name).toContain(part);
        expect(page).toContain(part.replaceAll(name, "east"));
      }
    }
  });

  test.each([
    [
      "VAULT_TOKEN",
      "No token was found in BAO_TOKEN, VAULT_TOKEN, ~/.vault-token: put one there, as `trustplane login` does, or give `tokenEnv` or `tokenFile` in trustplane:secrets. A `token_helper` of Vault's command is not asked.",
    ],
    [
      "VAULT_ADDR",
      "No address is set, so this is the default: set BAO_ADDR or VAULT_ADDR, or trustplane:secrets.address.",
    ],
  ])("names %s where it is not set", async (variable, said) => {
    const { text } = await story.pulumi("up --yes --skip-preview", { code: 1, env: { [variable]: "", NAMES: "" } });
    expect(text).toContain(said);
    expect(readFileSync(join(repository, "docs/doctor.md"), "utf8")).toContain(said);
  });
});

const connections = (entries: Readonly<Record<string, object>>) =>
  Object.fromEntries(
    Object.entries(entries).map(([name, entry]) => [
      name,
      { service: "secrets", maxRetries: 0, ...("tokenEnv" in entry ? {} : { tokenEnv: "GOOD_TOKEN" }), ...entry },
    ]),
  );

const programWith = (library: string) => `
const trustplane = require("${library}");
const role = { roleType: "jwt", userClaim: "sub", boundSubject: "s" };
const names = process.env.NAMES.split(" ").filter(Boolean);
if (names.length === 0) new trustplane.jwt.Role("a", { ...role, name: "a" });
for (const connection of names)
  if (connection === "no-keys") new trustplane.jwt.Config(connection, { connection, jwksUrl: "http://127.0.0.1:9/keys" });
  else new trustplane.jwt.Role(connection, { ...role, name: connection, connection, mount: connection === "no-mount" ? "nowhere" : "jwt" });
`;
