import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { onTestFinished, vi } from "vitest";
import type { DriftReport } from "../../cli/facts/drift/report.ts";
import { runCommand } from "../../cli/run-command.ts";
import type { Definition, Values } from "../../provider/core/definition.ts";
import { hiddenParts, secretProperties } from "../../provider/core/fingerprint.ts";
import { asSecret } from "../../provider/core/secret-envelope.ts";
import { FINGERPRINT_KEY } from "../../provider/core/state-names.ts";
import { typeToken } from "../../provider/core/type-token.ts";
import { createEngine, inputsOf } from "../../provider/engine/engine.ts";
import { definitions } from "../../provider/resources/index.ts";
import type { ProfileName } from "../../server/profiles/profiles.ts";
import { type Running, startServers } from "../../server/serve.ts";
import { environmentOf } from "../e2e/watched-servers.ts";
import { rawApi } from "../support/contract-raw.ts";

export type ResourceName = keyof typeof definitions;

/** A resource of the state that a test begins with. */
export interface Wanted {
  readonly resource: ResourceName;
  /** Name in the program. */
  readonly name: string;
  readonly args: Values;
  /** Properties that the program keeps secret although the resource would not, or paths such as `roles.ci.boundClaims`. */
  readonly secrets?: readonly string[];
  readonly ignoreChanges?: readonly string[];
}

/** What a run of the command came to. */
export interface DriftRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** `--json`, read. */
  report(): DriftReport;
}

export interface DriftOptions {
  /** Type tokens and provider of the state. */
  readonly host?: "dynamic" | "plugin";
  /** Secrets as `--show-secrets` exports them. */
  readonly isDecrypted?: boolean;
  readonly config?: Readonly<Record<string, string>>;
  readonly profile?: ProfileName;
  /** What the servers need before the resources are made. */
  readonly prepare?: (server: Running) => Promise<unknown>;
}

/** Servers with these resources on them, and the state of the stack that made them. */
export async function openStack(
  wanted: readonly Wanted[],
  { host = "dynamic", isDecrypted = false, config = {}, profile = "vault", prepare }: DriftOptions = {},
) {
  const server = await startServers({ profile });
  onTestFinished(() => server.close());
  await prepare?.(server);
  const env = environmentOf(server);
  const engine = createEngine({ config: (key) => config[key], env, log: () => {} });
  const resources: StateResource[] = [providerResource(host, config)];
  for (const { resource, name, args, secrets = [], ignoreChanges } of wanted) {
    const definition: Definition = definitions[resource];
    const { inputs, failures } = await engine.check(definition, args);
    if (failures.length > 0) throw new Error(`${name}: ${JSON.stringify(failures)}`);
    const { id, state } = await engine.create(definition, inputs);
    const hidden = [...secretProperties(definition, state), ...definition.secretOutputs, FINGERPRINT_KEY, ...secrets];
    const stored = (values: Values) => {
      const paths = [
        ...hidden.map((path) => path.split(".")),
        ...hiddenParts(definition, values).map(({ path }) => path),
      ];
      return paths.reduce((rest, path) => sealedAt(rest, path, isDecrypted), values);
    };
    resources.push({
      urn: urnOf(definition, name, host),
      type: typeOf(definition, host),
      custom: true,
      id,
      inputs: { __provider: "exports.handler = __f0;", ...stored(inputsOf(definition, state)) },
      outputs: { __provider: "exports.handler = __f0;", ...stored(state) },
      provider: `${resources[0]?.urn}::0`,
      ...(ignoreChanges ? { ignoreChanges } : {}),
      stackTrace: [
        { sourcePosition: "project:///node_modules/x.js#1,1" },
        { sourcePosition: "project:///index.ts#7,3" },
      ],
    });
  }
  return {
    server,
    env,
    resources,
    raw: (service: "secrets" | "cluster" | "policy") => rawApi(service, server[service]),
    /** Runs `trustplane drift` on the state, on standard input. */
    drift: (...flags: string[]) => drift({ version: 3, deployment: { resources } }, env, flags),
    driftWith: (env: Readonly<Record<string, string>>, ...flags: string[]) =>
      drift({ version: 3, deployment: { resources } }, env, flags),
  };
}

export interface StateResource {
  readonly urn: string;
  readonly type: string;
  readonly id: string;
  readonly inputs: Values;
  readonly outputs: Values;
  readonly [key: string]: unknown;
}

/** Runs the command in this process, with nothing but these variables. */
export async function drift(
  state: unknown,
  env: Readonly<Record<string, string>>,
  flags: readonly string[],
): Promise<DriftRun> {
  return run(["drift", "--state", "-", ...flags], env, JSON.stringify(state));
}

export async function run(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  input: string | NodeJS.ReadableStream = "",
): Promise<DriftRun> {
  let [out, err] = ["", ""];
  // The user's own servers must not be found.
  for (const name of Object.keys(process.env).filter((each) => /^(VAULT|BAO|CONSUL|TFE)_/.test(each)))
    vi.stubEnv(name, undefined);
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  try {
    const code = await runCommand(words, {
      out: (text) => {
        out += text;
      },
      err: (text) => {
        err += text;
      },
      ended: () => new Promise(() => {}),
      input: typeof input === "string" ? Readable.from([input]) : input,
      hasColours: false,
      isWatched: false,
    });
    return { code, out, err, report: () => JSON.parse(out) };
  } finally {
    vi.unstubAllEnvs();
  }
}

/** The values with what stands at the path in an envelope. */
function sealedAt(values: Values, [name = "", ...inside]: readonly string[], isDecrypted: boolean): Values {
  const value = values[name];
  if (value === undefined) return values;
  const part = inside.length === 0 ? sealed(value, isDecrypted) : sealedAt(Object(value), inside, isDecrypted);
  return { ...values, [name]: part };
}

/** A role with what every role needs. */
export function role(name: string, args: Values = {}): Wanted {
  const common = { name, roleType: "jwt", userClaim: "sub", boundAudiences: ["https://aud.example"] };
  return { resource: "jwtRole", name, args: { ...common, ...args } };
}

function typeOf({ token }: Definition, host: DriftOptions["host"]): string {
  return host === "plugin" ? typeToken(token) : `pulumi-nodejs:dynamic/trustplane/${token}`;
}

function urnOf(definition: Definition, name: string, host: DriftOptions["host"]): string {
  return `urn:pulumi:dev::lab::${typeOf(definition, host)}::${name}`;
}

function providerResource(host: DriftOptions["host"], config: Readonly<Record<string, string>>): StateResource {
  const type = `pulumi:providers:${host === "plugin" ? "trustplane" : "pulumi-nodejs"}`;
  const prefix = host === "plugin" ? "" : "trustplane:";
  const inputs = Object.fromEntries(Object.entries(config).map(([key, value]) => [prefix + key, value]));
  return { urn: `urn:pulumi:dev::lab::${type}::default`, type, custom: true, id: "0", inputs, outputs: inputs };
}

/** As an export has it: the mark, and beside it the value's JSON, or what it was encrypted to. */
export function sealed(value: unknown, isDecrypted: boolean): unknown {
  const { value: _, ...mark } = asSecret(value) as Record<string, unknown>;
  return isDecrypted
    ? { ...mark, plaintext: JSON.stringify(value) }
    : { ...mark, ciphertext: `v1:${randomBytes(12).toString("base64")}:${randomBytes(24).toString("base64")}` };
}
