import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { type Environment, settingsOf } from "../../../provider/engine/settings";
import { transportOptions } from "../../../provider/engine/tls-files";
import { createIdentity } from "../../support/certificates";

const folder = mkdtempSync(join(tmpdir(), "tls-"));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const [client, other] = [createIdentity("ci"), createIdentity("other")];
const certificate = file("client.pem", client.certificate);
const key = file("client.key", client.key);
const page = file("page.pem", "<html>Sign in</html>");
const bundle = file("bundle.pem", `# two\n${client.certificate}\n${other.certificate}`);
const torn = file("torn.pem", client.certificate.replace(/\n.*\n-----END/, "\n-----END"));

const opened = (entry: object, env: Environment = {}) =>
  transportOptions(
    settingsOf("secrets", undefined, (name) => (name === "secrets" ? JSON.stringify(entry) : undefined), env),
  );

it("files that are what they are said to be are used", () => {
  expect(opened({ caCertFile: bundle, clientCertFile: certificate, clientKeyFile: key })).toMatchObject({
    ca: expect.stringContaining("# two"),
    clientCertificate: client.certificate,
    clientKey: client.key,
  });
  expect(opened({})).toEqual({ skipVerify: false, timeoutMs: 60_000 });
});

const where = (path: string) => expect.stringContaining(path);

it.each<[string, object, Environment, string, string]>([
  ["a CA file that is an HTML page", { caCertFile: page }, {}, "caCertFile in trustplane:secrets) is not PEM", page],
  ["a CA file that is an HTML page", {}, { VAULT_CACERT: page }, "(VAULT_CACERT) is not PEM", page],
  ["a CA file that is cut", {}, { BAO_CACERT: torn }, "(BAO_CACERT) block 1 is not a certificate", torn],
  ["a CA file that is a key", { caCertFile: key }, {}, "block 1 is not a certificate", key],
  ["a CA file that is not there", { caCertFile: "/missing" }, {}, "in trustplane:secrets) cannot be read", "/missing"],
  ["a certificate without key", { clientCertFile: certificate }, {}, "clientCertFile in", "give clientKeyFile in"],
  ["a certificate without key", {}, { VAULT_CLIENT_CERT: certificate }, "(VAULT_CLIENT_CERT) comes without", "key"],
  ["a key without certificate", { clientKeyFile: key }, {}, "clientKeyFile in", "give clientCertFile in"],
  ["a key without certificate", {}, { VAULT_CLIENT_KEY: key }, "(VAULT_CLIENT_KEY) comes without", "certificate"],
  [
    "a certificate whose key only the environment has, for another one",
    { clientCertFile: certificate },
    { VAULT_CLIENT_CERT: certificate, VAULT_CLIENT_KEY: key },
    "clientCertFile in trustplane:secrets) comes without its key",
    "give clientKeyFile in trustplane:secrets",
  ],
  [
    "a key of another certificate",
    {},
    { VAULT_CLIENT_CERT: certificate, VAULT_CLIENT_KEY: file("other.key", other.key) },
    "(VAULT_CLIENT_KEY) is not that of the certificate",
    "other.key",
  ],
  [
    "a key that is none",
    {},
    { VAULT_CLIENT_CERT: certificate, VAULT_CLIENT_KEY: page },
    "(VAULT_CLIENT_KEY) is not a PEM key",
    page,
  ],
])("%s is an error that names it: %j %j", (_, entry, env, says, names) => {
  const open = () => opened(entry, env);
  expect(open).toThrow(expect.objectContaining({ code: "ConfigError", message: where(says) }));
  expect(open).toThrow(names);
});
