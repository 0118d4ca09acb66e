import { onTestFinished, vi } from "vitest";
import type { DriftReport } from "../../cli/facts/drift/report.ts";
import { type ForgeKind, startForge } from "./forge-imitation.ts";
import { previewJson } from "./preview-text.ts";
import { runCli } from "./run-cli.ts";

export const preview = (tokenTtl: string) =>
  previewJson({
    steps: [
      {
        op: "update",
        token: "jwt:Role",
        name: "ci",
        before: { name: "ci", boundSubject: "x" },
        after: { name: "ci", boundSubject: "x", tokenTtl },
      },
    ],
  });
export const report = (result: DriftReport["result"], changed: number): string => {
  const counts = {
    resources: 2,
    unchanged: 2 - changed,
    changed,
    missing: 0,
    ignored: 0,
    unknown: 0,
    unverifiable: 0,
    unmanaged: 0,
  };
  const drifted: DriftReport = {
    format: "trustplane-drift-report/1",
    stack: "story/dev",
    checkedAt: new Date().toISOString(),
    result,
    counts,
    resources: [
      {
        urn: "urn:pulumi:dev::story::x::ci",
        type: "jwt.Role",
        name: "ci",
        id: "auth/jwt/role/ci",
        status: "changed",
        properties: [
          { property: "tokenTtl", kind: "input" as const, expected: "15m", actual: "12h", changes: [] },
          {
            property: "value",
            kind: "input" as const,
            secret: true as const,
            expectedFingerprint: "aaaa",
            actualFingerprint: "bbbb",
          },
        ],
        writeOnly: [],
      },
    ].slice(0, changed) as DriftReport["resources"],
    ignoreFile: [],
  };
  return JSON.stringify(drifted);
};

export const stranger = { id: 666, login: "github-actions", type: "User" } as const;

export const opened = async (kind: ForgeKind, options?: Parameters<typeof startForge>[1]) => {
  const forge = await startForge(kind, options);
  for (const [name, value] of Object.entries(forge.env)) vi.stubEnv(name, value);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await forge.close();
  });
  return forge;
};
export const post = (input: string, ...flags: string[]) => runCli(["comment", ...flags], input);
