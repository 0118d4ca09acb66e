import { checkResource } from "../../core/check-set";
import { hasUnknown } from "../../core/unknowns";
import { assertConfiguration, type Configuration } from "../../engine/settings";
import { type Host, recordOf, type Said, tableOf } from "./call";
import { failureDiagnostics, warning } from "./diagnostics";
import type { Request } from "./protocol";
import { misplaced, propertyValue, valuesIn } from "./recorded";
import type { Attribute, ResourceTable } from "./table";
import { wrongTimeouts } from "./timeouts";
import { isNullRaw, type RawRecord } from "./value";

export async function validateProviderConfig({ tables }: Host, { config }: Request): Promise<Said<object>> {
  const values = valuesOf(tables.provider, recordOf(config) ?? {});
  assertConfiguration(
    configurationOf(Object.fromEntries(Object.entries(values).filter(([, value]) => !hasUnknown(value)))),
  );
  return { answer: {} };
}

export async function configureProvider({ tables, session }: Host, request: Request): Promise<Said<object>> {
  const { config, terraformVersion } = request;
  session.keepsSecrets = isWithoutWriteOnly(terraformVersion);
  const values = valuesOf(tables.provider, recordOf(config) ?? {});
  const unknown = Object.keys(values).filter((name) => hasUnknown(values[name]));
  // Without it, another server would be asked: that of the environment. What is new can be planned without one.
  if (unknown.length > 0) {
    const what = `${unknown.join(" and ")} of the provider's configuration is not known yet`;
    session.refuse(`${what}, and what is there cannot be read: apply first what it is made of, with -target.`);
  } else {
    session.configure(configurationOf(values));
  }
  return { answer: {} };
}

/** Refuses what is wrong whatever the server is. */
export async function validateResourceConfig(host: Host, request: Request): Promise<Said<object>> {
  const table = tableOf(host, request);
  const { wording } = host.tables;
  const config = recordOf(request.config) ?? {};
  const values = valuesIn(table, config);
  const { failures: ofValues } = checkResource(table.definition, values);
  const failures = [...misplaced(table, config, values), ...wrongTimeouts(config), ...ofValues];
  const kept = request.clientCapabilities?.writeOnlyAttributesAllowed ? [] : keptSecrets(table, config);
  const warnings = kept.map((name) => warning(`${name} ${KEPT_IN_STATE}`, wording));
  return { answer: {}, diagnostics: [...failureDiagnostics(failures, wording), ...warnings] };
}

const KEPT_IN_STATE =
  "is kept in the state, where everybody who can read the state can read it: Terraform and OpenTofu leave it out from 1.11 on";

function keptSecrets({ inputs }: ResourceTable, config: RawRecord): readonly string[] {
  return inputs.filter(({ isWriteOnly, name }) => isWriteOnly && !isNullRaw(config[name])).map(({ name }) => name);
}

/** The first release of both CLIs with write-only attributes is 1.11. */
function isWithoutWriteOnly(version: string): boolean {
  const [, minor] = /^1\.(\d+)\./.exec(version) ?? [];
  return minor !== undefined && Number(minor) < 11;
}

type ProviderValues = Readonly<Record<string, unknown>>;

function valuesOf(attributes: readonly Attribute[], raw: RawRecord): ProviderValues {
  return Object.fromEntries(attributes.map((each) => [each.property, propertyValue(each, raw)]));
}

function configurationOf(values: ProviderValues): Configuration {
  const text = (key: string) => (values[key] === undefined ? undefined : JSON.stringify(values[key]));
  return Object.assign(text, { of: "program" as const });
}
