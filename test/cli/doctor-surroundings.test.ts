import type { ServerResponse } from "node:http";
import { describe, it } from "vitest";
import { rawApi } from "../support/contract-raw.ts";
import { deadOrigin, serve, serveSockets } from "../support/loopback-server.ts";
import { type Broken, expectNamed, health, limited, onlySecrets, open, secure, trusted } from "./doctor-harness.ts";

/** Broken surroundings of one connection, and what the report must name. */
const broken: Readonly<Record<string, Broken>> = {
  "a closed port": {
    env: async () => ({ VAULT_ADDR: await deadOrigin() }),
    check: "tcp",
    finding: /127\.0\.0\.1:\d+ refuses connections/,
    fix: /start the server, .*correct VAULT_ADDR/,
  },
  "an unknown host": {
    env: async () => ({ BAO_ADDR: "https://vault.invalid" }),
    check: "dns",
    finding: /vault\.invalid is not known/,
    fix: /BAO_ADDR/,
  },
  "an address that is none": {
    env: async () => ({ VAULT_ADDR: "ftp://vault" }),
    check: "address",
    finding: /must be an http or https URL/,
    fix: /correct VAULT_ADDR/,
  },
  "https to an http port": {
    env: async () => ({ VAULT_ADDR: (await open()).server.secrets.address.replace("http:", "https:") }),
    check: "tls",
    finding: /speaks http, not https/,
    fix: /write http:\/\/ in VAULT_ADDR/,
  },
  "http to an https port": {
    env: async () => ({ VAULT_ADDR: (await secure(trusted)).origin.replace("https:", "http:") }),
    check: "api",
    finding: /speaks https, not http/,
    fix: /write https:\/\/ in VAULT_ADDR/,
  },
  "http to an https port that says so": {
    env: async () => {
      const text = "Client sent an HTTP request to an HTTPS server.\n";
      return { VAULT_ADDR: (await serve((_, response) => response.writeHead(400).end(text))).origin };
    },
    check: "api",
    finding: /speaks https, not http/,
    fix: /write https:\/\/ in VAULT_ADDR/,
  },
  "an HTML page": {
    env: async () => ({ TFE_ADDRESS: (await serve((_, response) => response.end("<!doctype html>Sign in"))).origin }),
    check: "api",
    finding: /an HTML page/,
    fix: /TFE_ADDRESS/,
  },
  "a page that redirects": {
    env: async () => {
      const { origin } = await serve((_, response) =>
        response.writeHead(302, { location: "https://login.example.com/" }).end(),
      );
      return { VAULT_ADDR: origin };
    },
    check: "api",
    finding: /a redirect \(302\)/,
    fix: /redirects to https:\/\/login\.example\.com.*VAULT_ADDR/,
  },
  "a server that never answers as expected": {
    env: async () => ({ VAULT_ADDR: (await serveSockets((socket) => socket.end())).origin }),
    check: "api",
    finding: /closed the connection without an answer/,
    fix: /VAULT_ADDR/,
  },
  "Consul in the place of Vault": {
    env: async () => ({ VAULT_ADDR: (await open()).server.cluster.address }),
    check: "api",
    finding: /this is Consul at .*, not Vault or OpenBao/,
    fix: /correct VAULT_ADDR/,
  },
  "Vault in the place of Consul": {
    env: async () => ({ CONSUL_HTTP_ADDR: (await open()).server.secrets.address }),
    check: "api",
    finding: /this is Vault or OpenBao at .*, not Consul/,
    fix: /correct CONSUL_HTTP_ADDR/,
  },
  "HCP Terraform in the place of Vault": {
    env: async () => ({ VAULT_ADDR: (await open()).server.policy.address }),
    check: "api",
    finding: /this is HCP Terraform at/,
    fix: /correct VAULT_ADDR/,
  },
  "a server that is sealed": {
    env: async () => {
      const { server, env } = await open();
      server.seal();
      return onlySecrets(env);
    },
    check: "status",
    finding: /sealed/,
    fix: /unseal the server/,
  },
  "a clock that is an hour behind": {
    env: async () => {
      const date = new Date(Date.now() - 3_600_000).toUTCString();
      const { origin } = await serve((_, response) => response.setHeader("date", date).end(JSON.stringify(health)));
      return { VAULT_ADDR: origin, VAULT_TOKEN: "t" };
    },
    check: "clock",
    status: "warning",
    finding: /server's clock is 3600 s behind|server's clock is 36\d\d s behind/,
    fix: /set the wrong clock/,
  },
  "a namespace that is not there": {
    env: async () => ({ ...onlySecrets((await open({ profile: "openbao" })).env), VAULT_NAMESPACE: "team" }),
    check: "namespace",
    finding: /there is no namespace "team"/,
    fix: /VAULT_NAMESPACE or namespace in trustplane:secrets/,
  },
  "a namespace of an edition that has none": {
    env: async () => ({ ...onlySecrets((await open()).env), VAULT_NAMESPACE: "team" }),
    check: "namespace",
    finding: /the server has no namespaces, and would do all outside of "team".*Vault \(community edition\)/,
    fix: /unset VAULT_NAMESPACE/,
  },
  "no token": {
    env: async () => ({ TFE_ADDRESS: (await open()).server.policy.address }),
    check: "token",
    finding: /none was found in TFE_TOKEN/,
    fix: /put one there/,
  },
  "a token that Vault does not know": {
    env: async () => ({ ...onlySecrets((await open()).env), VAULT_TOKEN: "hvs.unknown-token-of-nobody" }),
    check: "token",
    finding: /from VAULT_TOKEN; the server does not know it: it is wrong, expired or revoked/,
    fix: /give a new token in VAULT_TOKEN/,
  },
  "a token that OpenBao does not know": {
    env: async () => ({ ...onlySecrets((await open({ profile: "openbao" })).env), VAULT_TOKEN: "s.unknown-token" }),
    check: "token",
    finding: /wrong, expired or revoked, or its policies/,
    fix: /give a new token in VAULT_TOKEN/,
  },
  "a token that has expired": {
    env: async () => {
      const { server, env } = await open();
      const raw = rawApi("secrets", server.secrets);
      const made = (await raw.call("POST auth/token/create", { ttl: "60s" })) as { auth: { client_token: string } };
      server.clock.advance(120_000);
      return { ...onlySecrets(env), VAULT_TOKEN: made.auth.client_token };
    },
    check: "token",
    finding: /wrong, expired or revoked/,
    fix: /VAULT_TOKEN/,
  },
  "a token that ends soon": {
    env: async () => {
      const { server, env } = await open();
      const raw = rawApi("secrets", server.secrets);
      const made = (await raw.call("POST auth/token/create", { ttl: "60s" })) as { auth: { client_token: string } };
      return { ...onlySecrets(env), VAULT_TOKEN: made.auth.client_token };
    },
    check: "token",
    status: "warning",
    finding: /policies root; (1m|5\ds|1m0s) left; renewable/,
    fix: /one that lasts for the run/,
  },
  "a token that may not look itself up": {
    env: async () => onlySecrets(await limited("# nothing")),
    check: "token",
    status: "warning",
    finding: /its policies do not let it look itself up/,
    fix: /`default`/,
  },
  "a token that Consul does not know": {
    env: async () => ({ CONSUL_HTTP_ADDR: (await open()).server.cluster.address, CONSUL_HTTP_TOKEN: "unknown-token" }),
    check: "token",
    finding: /from CONSUL_HTTP_TOKEN; the cluster does not know it/,
    fix: /CONSUL_HTTP_TOKEN/,
  },
  "a token that HCP Terraform does not know": {
    env: async () => ({ TFE_ADDRESS: (await open()).server.policy.address, TFE_TOKEN: "unknown-token" }),
    check: "token",
    finding: /from TFE_TOKEN; the server does not know it/,
    fix: /TFE_TOKEN/,
  },
  "a proxy that answers for the server": {
    env: async () => {
      const answers = async (_: unknown, response: ServerResponse) => response.end(JSON.stringify(health));
      return { VAULT_ADDR: (await serve(answers)).origin, VAULT_TOKEN: "hvs.mine" };
    },
    check: "token",
    finding: /from VAULT_TOKEN; what answers says nothing of it/,
    fix: /VAULT_ADDR/,
  },
  "a file of a token that is not there": {
    env: async () => ({ CONSUL_HTTP_ADDR: (await open()).server.cluster.address, CONSUL_HTTP_TOKEN_FILE: "/nowhere" }),
    check: "token",
    finding: /token file \/nowhere cannot be read/,
    fix: /correct/,
  },
};

describe("trustplane doctor names", () => {
  it.each(Object.entries(broken))("%s", (_, about) => expectNamed(about));
});
