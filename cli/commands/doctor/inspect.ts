import type { ProviderError } from "../../../provider/core/errors";
import { plainText } from "../../../provider/core/plain-text";
import { beforeSignalEnds } from "../../../provider/engine/before-signal-ends";
import { messageOf } from "../../../provider/engine/operation";
import { SEE_DOCTOR } from "../../../provider/engine/send-request";
import { type Environment, type Settings, settingsOf } from "../../../provider/engine/settings";
import { redactor } from "../../../provider/http/redact";
import { checkApi, checkClock, checkNamespace, checkProduct, checkStatus } from "./api-checks";
import { type Inspection, openInspection } from "./inspection";
import { checkAddress, checkDns, checkProxy, checkTcp, checkTls } from "./network-checks";
import { type Check, type ConnectionReport, failed, notAsked, type Verdict } from "./report";
import { checkResources } from "./resource-checks";
import type { Target } from "./targets";
import { checkToken } from "./token-check";

type Step = readonly [
  check: Exclude<Check["check"], "resource">,
  look: (inspection: Inspection) => Verdict | Promise<Verdict>,
  /** Nothing after it can be asked when it failed. */
  options?: { readonly mayFail: true },
];

const STEPS: readonly Step[] = [
  ["address", checkAddress],
  ["proxy", checkProxy],
  ["dns", checkDns],
  ["tcp", checkTcp],
  ["tls", checkTls],
  ["api", checkApi],
  ["product", checkProduct, { mayFail: true }],
  ["clock", checkClock, { mayFail: true }],
  ["status", checkStatus],
  ["namespace", checkNamespace],
  ["token", checkToken],
];

/** Makes all checks of a connection, in order. What depends on a failed one is not asked. */
export async function inspect(
  target: Target,
  env: Environment,
  options: { readonly readOnly?: boolean } = {},
): Promise<ConnectionReport> {
  const { label: name, service } = target;
  let settings: Settings;
  try {
    settings = settingsOf(service, target.name, target.config, env);
  } catch (error) {
    const said = messageOf(error);
    const check: Check = { check: "address", ...failed(said, whatToCorrect(target, said)) };
    return { name, service, checks: [check, ...rest("address", target)] };
  }
  const inspection = openInspection(target, settings, env);
  const giveUp = beforeSignalEnds(inspection.session.end);
  try {
    return await inspected(inspection, options);
  } finally {
    giveUp();
    await inspection.session.end();
  }
}

async function inspected(inspection: Inspection, options: { readonly readOnly?: boolean }): Promise<ConnectionReport> {
  const { target, settings } = inspection;
  const { label: name, service } = target;
  const checks: Check[] = [];
  let stopped: Check["check"] | undefined;
  for (const [check, look, { mayFail = false } = {}] of STEPS) {
    const verdict = stopped ? notAsked(`${stopped} failed`) : await verdictOf(look, inspection);
    checks.push({ check, ...verdict });
    if (verdict.status === "failed" && !mayFail) stopped ??= check;
  }
  const address = settings.address.origin;
  const resources = stopped ? rest(stopped, target, []) : await checkResources(inspection, options).catch(unexpected);
  const hide = redactor([inspection.found?.token, ...settings.headers.secrets]);
  return { name, service, address, checks: [...checks, ...resources].map((check) => hidden(check, hide)) };
}

/** The checks that cannot be made any more. */
function rest(after: Check["check"], { resources }: Target, steps = STEPS.slice(1)): Check[] {
  const verdict = notAsked(`${after} failed`);
  return [
    ...steps.map(([check]) => ({ check, ...verdict })),
    ...resources.map(({ title }) => ({ check: "resource" as const, resource: title, ...verdict })),
  ];
}

async function verdictOf(look: Step[1], inspection: Inspection): Promise<Verdict> {
  try {
    return await look(inspection);
  } catch (error) {
    return failed(whatWasSaid(error), "correct what it names");
  }
}

/** Without the advice to run this command. */
function whatWasSaid(error: unknown): string {
  return messageOf(error).replace(SEE_DOCTOR, "");
}

function unexpected(error: ProviderError): Check[] {
  return [{ check: "resource", ...failed(whatWasSaid(error), "run it again; the server answered before") }];
}

/** Settings of other things are wrong, too, and named in what is said of them. */
function whatToCorrect({ addressFrom, label }: Target, said: string): string {
  if (!/\baddress\b|connection "/.test(said)) return "correct what it names";
  return addressFrom === undefined ? `describe it, or give --connection ${label}=<address>` : `correct ${addressFrom}`;
}

function hidden({ finding, fix, ...check }: Check, hide: (text: string) => string): Check {
  return { ...check, finding: hide(plainText(finding)), ...(fix === undefined ? {} : { fix: hide(fix) }) };
}
