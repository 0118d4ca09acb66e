import { SignJWT } from "jose";
import { describe, expect, onTestFinished, test } from "vitest";
import { startLiveVault } from "../../tools/live/live-servers.mts";
import { tellReadme } from "../e2e/readme-story.ts";
import { rawApi } from "../support/contract-raw.ts";
import { needsPulumi } from "../support/pulumi-sandbox.ts";

describe("the README's program on a real Vault", needsPulumi(), () => {
  test("runs as it stands, finds nothing to do the second time, and lets the job log in that it is for", async () => {
    const vault = await startLiveVault("1.21");
    onTestFinished(vault.close);
    const issuerKey = await tellReadme(vault);
    const logIn = async (ref: string) => {
      const jwt = await new SignJWT({ project_path: "acme/platform", ref })
        .setProtectedHeader({ alg: "RS256" })
        .setIssuer("https://git.example.com")
        .setAudience("https://vault.example.com")
        .setIssuedAt()
        .setExpirationTime("5m")
        .sign(issuerKey);
      return rawApi("secrets", { ...vault, token: "" }).ask("POST auth/jwt-ci/login", { role: "deploy", jwt });
    };

    expect(await logIn("release/1.0")).toMatchObject({
      status: 200,
      body: { auth: { token_policies: ["default", "deploy"], lease_duration: 600 } },
    });
    expect(await logIn("somebody/elses")).toMatchObject({ status: 400 });
  });
});
