import { describe, expect, it } from "vitest";
import { programOf } from "../../cli/commands/adopt/program.ts";
import { judge } from "../../cli/sources/servers/hidden-values.ts";
import { definitions } from "../../provider/resources/index.ts";

const { jwtConfig, cloudRootConfig, clusterPeering, clusterPeeringToken, policyParameter, sysAuthMount } = definitions;
const config = { mount: "jwt", oidcDiscoveryUrl: "https://id.example.com" };
const policySetId = "polset-demo000000000001";

describe("what trustplane adopt takes from the configuration", () => {
  it.each([
    [jwtConfig, { ...config, oidcClientId: "app" }, [{ property: "oidcClientSecret" }]],
    [jwtConfig, config, []],
    [jwtConfig, { ...config, providerConfig: { provider: "azure" } }, []],
    [cloudRootConfig, { mount: "cloud", accessKey: "AKIAEXAMPLE" }, [{ property: "secretKey" }]],
    [cloudRootConfig, { mount: "cloud", region: "eu-west-1" }, []],
    [policyParameter, { policySetId, key: "token", sensitive: true }, [{ property: "value" }]],
    [policyParameter, { policySetId, key: "limit", value: "1" }, []],
    [clusterPeering, { peerName: "east" }, [{ property: "peeringToken" }]],
    [clusterPeeringToken, { peerName: "west" }, []],
  ])("$token with $1", (definition, values, hidden) => {
    expect(judge(definition, values)).toEqual({ hidden });
  });

  it("is a map as a whole, where the server leaves out its secret members", () => {
    const providerConfig = { provider: "gsuite", gsuite_admin_impersonate: "admin@example.com" };
    expect(judge(jwtConfig, { ...config, providerConfig })).toEqual({
      hidden: [{ property: "providerConfig", shown: providerConfig }],
    });
  });

  it.each([
    ["oidc", "oidcClientSecret"],
    ["login", "loginOidcClientSecret"],
  ])("has a name in which no word is there twice: of %s it is %s", (mount, key) => {
    const values = { mount, oidcDiscoveryUrl: "https://id.example.com", oidcClientId: "app" };
    const hidden = [{ property: "oidcClientSecret" }];
    const program = programOf([
      { definition: jwtConfig, id: `auth/${mount}/config`, values, hidden, place: { values: {} } },
    ]);
    expect(program.secrets.map((secret) => secret.key)).toEqual([key]);
  });

  it("is never written down where a server shows it", () => {
    const { hidden } = judge(jwtConfig, { ...config, oidcClientId: "app", oidcClientSecret: "shown" }) as {
      hidden: unknown;
    };
    expect(hidden).toEqual([{ property: "oidcClientSecret" }]);
    const providerConfig = { provider: "okta", api_token: "shown" };
    expect(JSON.stringify(judge(jwtConfig, { ...config, providerConfig }))).not.toContain("api_token");
  });
});

describe("what trustplane adopt leaves out", () => {
  it("is a record that this package refuses, with its reasons", () => {
    expect(judge(sysAuthMount, { path: "token", type: "token" })).toEqual({
      refusal: expect.stringMatching(/type is built into the server.*path is reserved/),
    });
  });

  it("is a peering that the other side has ended: an update would make a new one", () => {
    const values = { peerName: "west" };
    expect(judge(clusterPeeringToken, values, { state: { ...values, terminated: true } })).toEqual({
      refusal: expect.stringContaining("terminated"),
    });
  });
});
