import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type Environment, settingsOf } from "../../../provider/engine/settings";
import { transportOptions } from "../../../provider/engine/tls-files";
import { createIdentity } from "../../support/certificates";
import { folderOfSuite } from "../../support/temporary-folder";

const folder = folderOfSuite();
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

const folderWith = (name: string, files: Readonly<Record<string, string>>) => {
  mkdirSync(join(folder, name, "below"), { recursive: true });
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, name, path), text);
  return join(folder, name);
};
const authorities = folderWith("authorities", { "a.pem": client.certificate, "below/b.crt": other.certificate });
symlinkSync("below", join(authorities, "..data"));
const mixed = folderWith("mixed", { "a.pem": client.certificate, "readme.txt": "Sign in" });
const empty = folderWith("empty", {});

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

it("texts stand for files, and a folder for all that is in it and below", () => {
  const texts = { caCertPem: client.certificate, clientCertPem: client.certificate, clientKeyPem: client.key };
  expect(opened({ ...texts, tlsServerName: "vault.internal" })).toMatchObject({
    ca: client.certificate,
    clientCertificate: client.certificate,
    clientKey: client.key,
    serverName: "vault.internal",
  });
  const both = `${client.certificate}\n${other.certificate}`;
  expect(opened({ caCertDir: authorities })).toMatchObject({ ca: both });
  expect(opened({}, { VAULT_CAPATH: authorities })).toMatchObject({ ca: both });
});

it.each([
  [
    "certificate",
    { clientCertPem: client.certificate, clientKeyPem: `x${client.key.slice(30)}` },
    /clientKeyPem in .*is not a PEM key/,
  ],
  ["key", { clientCertPem: client.key, clientKeyPem: client.key }, /clientCertPem in .* block 1 is not a certificate$/],
  [
    "pair",
    { clientCertPem: client.certificate, clientKeyPem: other.key },
    /clientKeyPem in .*is not that of the certificate$/,
  ],
])("a text that is wrong is named and not shown: %s", (_, entry, says) => {
  const open = () => opened(entry);
  expect(open).toThrow(expect.objectContaining({ code: "ConfigError", message: expect.stringMatching(says) }));
  for (const line of [client.key, other.key].flatMap((text) => text.split("\n").filter((part) => part.length > 20)))
    expect(open).not.toThrow(line);
});

const where = (path: string) => expect.stringContaining(path);

it.each<[string, object, Environment, string, string]>([
  ["a CA file that is an HTML page", { caCertFile: page }, {}, "caCertFile in trustplane:secrets) is not PEM", page],
  ["a CA file that is an HTML page", {}, { VAULT_CACERT: page }, "(VAULT_CACERT) is not PEM", page],
  ["a CA file that is cut", {}, { BAO_CACERT: torn }, "(BAO_CACERT) block 1 is not a certificate", torn],
  ["a CA file that is a key", { caCertFile: key }, {}, "block 1 is not a certificate", key],
  ["a CA file that is not there", { caCertFile: "/missing" }, {}, "in trustplane:secrets) cannot be read", "/missing"],
  [
    "a CA text that is a path",
    { caCertPem: bundle },
    {},
    "CA certificate of connection",
    "caCertPem in trustplane:secrets) is the name of a file",
  ],
  [
    "a CA text that is a path",
    {},
    { VAULT_CACERT_BYTES: bundle },
    "(VAULT_CACERT_BYTES) is the name of a file",
    "CA certificate of",
  ],
  [
    "a folder that is not there",
    { caCertDir: "/missing" },
    {},
    "CA folder of connection",
    "caCertDir in trustplane:secrets) cannot be read, or is no folder: /missing",
  ],
  ["a folder that is a file", {}, { VAULT_CAPATH: bundle }, "(VAULT_CAPATH) cannot be read, or is no folder", bundle],
  ["a folder without a file", {}, { BAO_CAPATH: empty }, "(BAO_CAPATH) has no file in it", empty],
  ["a folder with another file", {}, { VAULT_CAPATH: mixed }, "(VAULT_CAPATH) is not PEM", join(mixed, "readme.txt")],
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
