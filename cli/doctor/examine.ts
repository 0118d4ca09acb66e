import type { ProviderError } from "../../provider/core/errors";
import { plainText } from "../../provider/core/plain-text";
import { beforeSignalEnds } from "../../provider/engine/before-signal-ends";
import { messageOf } from "../../provider/engine/operation";
import { SEE_DOCTOR } from "../../provider/engine/send-request";
import { type Environment, type Settings, settingsOf } from "../../provider/engine/settings";
import { redactor } from "../../provider/http/redact";
import { checkApi, checkClock, checkNamespace, checkProduct, checkStatus } from "./api-checks";
import { checkAddress, checkDns, checkProxy, checkTcp, checkTls } from "./network-checks";
import type { Patient } from "./patients";
import { type Check, type ConnectionReport, failed, notAsked, type Verdict } from "./report";
import { checkResources } from "./resource-checks";
import { checkToken } from "./token-check";
import { openVisit, type Visit } from "./visit";

type Step = readonly [
  check: Exclude<Check["check"], "resource">,
  look: (visit: Visit) => Verdict | Promise<Verdict>,
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
export async function examine(
  patient: Patient,
  env: Environment,
  options: { readonly readOnly?: boolean } = {},
): Promise<ConnectionReport> {
  const { label: name, service } = patient;
  let settings: Settings;
  try {
    settings = settingsOf(service, patient.name, patient.config, env);
  } catch (error) {
    const check: Check = { check: "address", ...failed(messageOf(error), whatToCorrect(patient)) };
    return { name, service, checks: [check, ...rest("address", patient)] };
  }
  const visit = openVisit(patient, settings, env);
  const giveUp = beforeSignalEnds(visit.session.end);
  try {
    return await visited(visit, options);
  } finally {
    giveUp();
    await visit.session.end();
  }
}

async function visited(visit: Visit, options: { readonly readOnly?: boolean }): Promise<ConnectionReport> {
  const { patient, settings } = visit;
  const { label: name, service } = patient;
  const checks: Check[] = [];
  let stopped: Check["check"] | undefined;
  for (const [check, look, { mayFail = false } = {}] of STEPS) {
    const verdict = stopped ? notAsked(`${stopped} failed`) : await judged(look, visit);
    checks.push({ check, ...verdict });
    if (verdict.status === "failed" && !mayFail) stopped ??= check;
  }
  const address = settings.address.origin;
  const resources = stopped ? rest(stopped, patient, []) : await checkResources(visit, options).catch(unexpected);
  const hide = redactor([visit.found?.token]);
  return { name, service, address, checks: [...checks, ...resources].map((check) => hidden(check, hide)) };
}

/** The checks that cannot be made any more. */
function rest(after: Check["check"], { resources }: Patient, steps = STEPS.slice(1)): Check[] {
  const verdict = notAsked(`${after} failed`);
  return [
    ...steps.map(([check]) => ({ check, ...verdict })),
    ...resources.map(({ title }) => ({ check: "resource" as const, resource: title, ...verdict })),
  ];
}

async function judged(look: Step[1], visit: Visit): Promise<Verdict> {
  try {
    return await look(visit);
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

function whatToCorrect({ addressFrom, label }: Patient): string {
  return addressFrom === undefined ? `describe it, or give --connection ${label}=<address>` : `correct ${addressFrom}`;
}

function hidden({ finding, fix, ...check }: Check, hide: (text: string) => string): Check {
  return { ...check, finding: hide(plainText(finding)), ...(fix === undefined ? {} : { fix: hide(fix) }) };
}
