import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { Definition } from "../../provider/core/definition";
import { definitions } from "../../provider/resources/index";
import { type Asking, askOverTls, company, forServers, issued, other, rich, type TlsVault } from "./cert-bench";
import { createIdentity, type Identity } from "./certificates";
import { openEngine, roleInputs, rolesPolicy } from "./jwt-logins";

const jwtRole: Definition = definitions.jwtRole;

interface Release {
  /** Members of a certificate role that it does not have. */
  readonly lacks: readonly string[];
}

/** The logins by certificate that every Vault has: through the provider's engine, and in the server's own words. */
export function describeCertLogins(product: string, { lacks }: Release, open: () => Promise<TlsVault>): void {
  const has = (fields: object) => !Object.keys(fields).some((name) => lacks.includes(name));
  describe(`logins by certificate on ${product}`, () => {
    let vault: TlsVault;
    let folder: string;
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), "trustplane-cert-"));
      vault = await open();
      await ask("POST sys/auth/jwt", { type: "jwt" });
      await ask("POST sys/auth/cert", { type: "cert" });
      await ask("POST sys/policies/acl/ci", { policy: rolesPolicy });
    });
    afterAll(async () => {
      rmSync(folder, { recursive: true });
      await vault.close();
    });

    const ask = (line: string, body?: object, asking?: Asking) => askOverTls(vault, line, { body, ...asking });
    const login = (shows: readonly Identity[] | undefined, body: object = {}) =>
      ask("POST auth/cert/login", body, { as: "", shows });
    const accessors = async () => (await ask("LIST auth/token/accessors")).data?.["keys"];

    /** A certificate role for one test. */
    async function role(fields: object, name = "ci"): Promise<void> {
      const answer = await ask(`POST auth/cert/certs/${name}`, { certificate: company.certificate, ...fields });
      expect(answer.status, answer.errors).toBeLessThan(300);
      onTestFinished(async () => void (await ask(`DELETE auth/cert/certs/${name}`)));
    }

    function connection({ certificate, key }: Identity, more: object = {}) {
      const file = (name: string, content: string) => {
        writeFileSync(join(folder, name), content);
        return join(folder, name);
      };
      return openEngine({
        secrets: JSON.stringify({
          address: vault.address,
          caCertFile: file("ca.pem", vault.ca),
          clientCertFile: file("client.pem", certificate),
          clientKeyFile: file("client.key", key),
          login: { method: "cert", ...more },
        }),
      });
    }

    describe("a connection", () => {
      it.each([[{}], [{ role: "CI" }]])("logs in with %j, and leaves no token behind", async (more) => {
        await role({ token_policies: "ci" });
        const before = await accessors();
        const { engine, lines } = connection(issued("ci"), more);
        const { id, state } = await engine.create(jwtRole, roleInputs);
        expect(await accessors()).toHaveLength((before as unknown[]).length + 1);
        await engine.delete(jwtRole, id, state);
        await engine.end();
        expect(await accessors()).toEqual(before);
        expect(lines.filter((line) => line.startsWith("warning"))).toEqual([]);
      });

      it("renews its token, and shows its certificate for that", async () => {
        await role({ token_policies: "ci", token_ttl: "2s" });
        const { engine } = connection(issued("ci"));
        await engine.create(jwtRole, { ...roleInputs, name: "first" });
        const present = await accessors();
        for (const name of ["second", "third"]) {
          await sleep(1_500);
          await engine.create(jwtRole, { ...roleInputs, name });
        }
        expect(await accessors()).toEqual(present);
        await engine.end();
      });

      it.each([
        ["of another authority", createIdentity("ci", { issuer: other }), "Other CA"],
        ["with another name", issued("laptop"), "Company CA"],
      ])("is told what a refused certificate %s says, and what to compare that with", async (_, identity, issuer) => {
        await role({ token_policies: "ci", allowed_common_names: "ci" });
        const { engine } = connection(identity);
        const message = await engine.create(jwtRole, roleInputs).then(String, (error: Error) => error.message);
        expect(message).toMatch(
          /^creating jwt.Role "app": the login of connection "secrets" by cert: 400 failed to match all constraints for this login certificate \(POST auth\/cert\/login\)\. The client certificate of clientCertFile .*says subject /,
        );
        expect(message).toContain(`says subject "CN=${identity.name}", issuer "CN=${issuer}", and is valid until `);
        expect(message).toContain("compare that with the certificates at the auth method");
      });
    });

    describe("a certificate role", () => {
      const bare = {
        allowed_names: null,
        allowed_common_names: null,
        allowed_dns_sans: null,
        allowed_email_sans: null,
        allowed_uri_sans: null,
        allowed_organizational_units: null,
        allowed_organizations: null,
        required_extensions: null,
        allowed_metadata_extensions: null,
        ocsp_enabled: false,
        ocsp_ca_certificates: "",
        ocsp_servers_override: null,
        ocsp_fail_open: false,
        ocsp_query_all_servers: false,
        ocsp_this_update_max_age: 0,
        ocsp_max_retries: 4,
        token_bound_cidrs: [],
        token_explicit_max_ttl: 0,
        token_max_ttl: 0,
        token_no_default_policy: false,
        token_num_uses: 0,
        token_period: 0,
        token_policies: [],
        token_ttl: 0,
        token_type: "default",
      };

      it("reads as it was written, under its name in lower case", async () => {
        const certificate = company.certificate;
        await role({}, "Bare");
        const lacking = Object.fromEntries(lacks.map((name) => [name, undefined]));
        const usual = { ...bare, certificate, ...lacking };
        expect((await ask("GET auth/cert/certs/bare")).data).toEqual({ ...usual, display_name: "bare" });
        expect((await ask("LIST auth/cert/certs")).data).toEqual({ keys: ["bare"] });
        await role({ policies: "B,a", period: 60, bound_cidrs: "10.0.0.0/8", display_name: "Runner" }, "old");
        await ask("POST auth/cert/certs/old", { allowed_dns_sans: "a,b", lease: 9 });
        expect((await ask("GET auth/cert/certs/OLD")).data).toEqual({
          ...usual,
          display_name: "Runner",
          allowed_dns_sans: ["a", "b"],
          ...{ policies: ["a", "b"], token_policies: ["a", "b"], period: 60, token_period: 60, ttl: 9, token_ttl: 9 },
          ...{ bound_cidrs: ["10.0.0.0/8"], token_bound_cidrs: ["10.0.0.0/8"] },
        });
        expect((await ask("GET auth/cert/certs/none")).status).toBe(404);
        expect((await ask("DELETE auth/cert/certs/none")).status).toBe(204);
      });

      const refusals: readonly (readonly [object, number, string])[] = [
        [{ certificate: "x" }, 400, "failed to parse certificate"],
        [
          { certificate: forServers.certificate },
          400,
          "nonCA certificates should have TLS client authentication set as an extended key usage",
        ],
        [{ token_ttl: "2h", token_max_ttl: "1h" }, 400, "'token_ttl' cannot be greater than 'token_max_ttl'"],
        [{ ttl: "2h", max_ttl: "1h" }, 400, "ttl should be shorter than max_ttl"],
        [{ token_type: "x" }, 400, `invalid 'token_type' value "x"`],
        [{ ocsp_max_retries: -1 }, 500, "1 error occurred:\n\t* ocsp_max_retries can not be a negative number\n\n"],
      ];
      it.each(refusals.filter(([fields]) => has(fields)))("with %j is refused", async (fields, status, errors) => {
        const body = { certificate: company.certificate, ...fields };
        expect(await ask("POST auth/cert/certs/refused", body)).toMatchObject({ status, errors });
      });
    });

    describe("a login", () => {
      const demands: readonly (readonly [object, object])[] = [
        [{ allowed_names: "*@example.com" }, { allowed_names: "*@example.org" }],
        [{ allowed_common_names: "runner-*" }, { allowed_common_names: "Runner-*" }],
        [{ allowed_dns_sans: ["x", "runner.*.com"] }, { allowed_dns_sans: "runner" }],
        [{ allowed_email_sans: "ci@example.com" }, { allowed_email_sans: "runner.example.com" }],
        [{ allowed_uri_sans: "spiffe://*/ci" }, { allowed_uri_sans: "spiffe://*/cd" }],
        [{ allowed_organizations: "Ac*" }, { allowed_organizational_units: "Ac*" }],
        [{ required_extensions: "1.2.3.45678:bl*" }, { required_extensions: "1.2.3.45678:red" }],
        [{ required_extensions: "hex:1.2.3.5:020107" }, { required_extensions: "1.2.3.45678:blue,1.2.3.6:x" }],
      ];
      it.each(demands.filter(([met]) => has(met)))("may ask for %j, which %j does not match", async (met, missed) => {
        await role(met);
        expect((await login([rich])).errors).toBe("");
        await role({ ...met, ...missed });
        expect(await login([rich])).toMatchObject({
          status: 400,
          errors: "failed to match all constraints for this login certificate",
        });
      });

      it("tells whose the certificate is, in the token and not in the alias", async () => {
        await role({ display_name: "Runner", allowed_metadata_extensions: "1.2.3.45678,1.2.3.5,1.2.3.9" });
        const { auth } = await login([rich], { name: "ci" });
        expect(auth).toMatchObject({
          policies: ["default"],
          metadata: {
            cert_name: "ci",
            common_name: "runner-7.example.com",
            serial_number: expect.stringMatching(/^\d{15,}$/),
            subject_key_id: "a1:b2:c3",
            authority_key_id: "0d:0e",
            "1-2-3-45678": "blue",
            "1-2-3-5": "",
          },
        });
        const { data } = await ask("GET auth/token/lookup-self", undefined, { as: auth?.client_token ?? "" });
        expect(data).toMatchObject({ display_name: "cert-Runner", path: "auth/cert/login" });
        const entity = await ask(`GET identity/entity/id/${auth?.["entity_id"]}`);
        expect(entity.data?.["aliases"]).toMatchObject([{ name: "runner-7.example.com", metadata: null }]);
      });

      it("is that of the role which trusts the certificate itself, or an authority behind those that come with it", async () => {
        const own = createIdentity("own");
        const team = issued("Team CA", { isAuthority: true });
        const member = createIdentity("member", { issuer: team });
        await role({}, "a-company");
        await role({ certificate: own.certificate }, "b-own");
        expect((await login([own])).auth).toMatchObject({ metadata: { cert_name: "b-own" } });
        expect((await login([member, team])).auth).toMatchObject({ metadata: { cert_name: "a-company" } });
        expect((await login([member])).status).toBe(400);
        expect((await login([company])).auth).toMatchObject({ metadata: { cert_name: "a-company" } });
        expect((await login([own], { name: "a-company" })).status).toBe(400);
      });

      const unmatched = "failed to match all constraints for this login certificate";
      const expired =
        /^failed to verify client's certificate: x509: certificate has expired or is not yet valid: current time \d{4}-\S+Z is after \d{4}-\S+Z$/;
      it.each<[string, readonly Identity[] | undefined, object, number, string | RegExp]>([
        ["without a certificate", undefined, {}, 400, "client certificate must be supplied"],
        ["for a role that is not there", [issued("ci")], { name: "none" }, 400, unmatched],
        ["with a certificate of another authority", [createIdentity("ci", { issuer: other })], {}, 400, unmatched],
        ["with one that nobody issued", [createIdentity("ci")], {}, 400, unmatched],
        ["with one that has expired", [issued("ci", { isExpired: true })], {}, 500, expired],
        [
          "with one for servers",
          [forServers],
          {},
          500,
          "failed to verify client's certificate: x509: certificate specifies an incompatible key usage",
        ],
        ["with one without a name", [issued("")], {}, 500, "missing name in alias"],
        ["from another network", [issued("ci")], { name: "far" }, 403, "permission denied"],
      ])("%s is refused", async (_, shows, body, status, errors) => {
        await role({});
        await role({ token_bound_cidrs: "192.0.2.0/24" }, "far");
        const answer = await login(shows, body);
        expect([answer.status, answer.errors]).toEqual([
          status,
          typeof errors === "string" ? errors : expect.stringMatching(errors),
        ]);
      });
    });

    describe("a renewal", () => {
      const renewal = async (shows: readonly Identity[] | undefined, meanwhile: () => Promise<unknown>) => {
        await role({ token_policies: "a" });
        const { auth } = await login([rich]);
        await meanwhile();
        const { status, errors } = await ask("POST auth/token/renew-self", {}, { as: auth?.client_token ?? "", shows });
        return [status, errors];
      };
      const nothing = async () => {};
      const mismatch =
        "1 error occurred:\n\t* failed to renew entry: client identity during renewal not matching client identity used during login\n\n";
      const changed = "1 error occurred:\n\t* failed to renew entry: policies have changed, not renewing\n\n";

      it.each<[string, readonly Identity[] | undefined, number, string]>([
        ["the same certificate", [rich], 200, ""],
        ["none", undefined, 400, "client certificate must be supplied"],
        ["another one", [issued("ci")], 500, mismatch],
      ])("with %s", async (_, shows, status, errors) => {
        expect(await renewal(shows, nothing)).toEqual([status, errors]);
      });

      it("is refused when the role has other policies, or is gone", async () => {
        expect(await renewal([rich], () => role({ token_policies: "b" }))).toEqual([500, changed]);
        const gone = await renewal([rich], () => ask("DELETE auth/cert/certs/ci"));
        expect(gone).toEqual([400, "failed to match all constraints for this login certificate"]);
      });
    });
  });
}
