import { z } from "zod";
import { services } from "../service";

/**
 * A scripted fault, written `METHOD PATH ACTION [after] [retry-after=<s>] [service=<name>] [xN]`:
 *
 * - METHOD or `*`; a `GET …?list=true` counts as LIST, PUT is not POST.
 * - PATH without `/v1/` (`/api/v2/`), `*` for any characters.
 * - ACTION: a status (400-599), `cut` (the connection ends without an answer), `slow:<ms>` (half of the body, then a
 *   wait), `sealed` (Vault's 503).
 * - `after`: the operation is performed, then the answer fails.
 * - `xN`: N times; without it until the fault is deleted.
 */
export interface FaultScript {
  readonly text: string;
  readonly method: string;
  readonly path: string;
  readonly action: "status" | "cut" | "slow" | "sealed";
  readonly status: number;
  readonly delayMs: number;
  readonly after: boolean;
  readonly retryAfterSeconds?: number;
  readonly service?: (typeof services)[number];
  /** How many requests it still answers; `undefined` for all. */
  readonly times?: number;
}

const actionPattern = /^(?:([45]\d\d)|(cut|sealed)|slow:(\d+))$/;
const optionPattern = /^(?:(after)|retry-after=(\d+)|service=([a-z]+)|x([1-9]\d*))$/;

/** Reads one fault script; the failure says which word is wrong and what is allowed. */
export const faultScript = z.string().transform((text, context): FaultScript => {
  const fail = (message: string) => {
    context.addIssue({ code: "custom", message: `fault "${text}": ${message}` });
    return z.NEVER;
  };
  const [method = "", path = "", action = "", ...options] = text.trim().split(/\s+/);
  if (!/^(?:[A-Z]+|\*)$/.test(method)) return fail(`"${method}" is not a method; write it in capitals, or *`);
  if (path === "") return fail("a path is missing; write one such as auth/jwt/role/*, or *");
  const acted = actionPattern.exec(action);
  if (acted === null)
    return fail(`"${action}" is not an action; use a status from 400 to 599, cut, slow:<ms> or sealed`);
  const [, status, word, delayMs] = acted;
  let script: FaultScript = {
    text: text.trim(),
    method,
    path: path.replace(/^\/?(?:v1\/|api\/v2\/)?/, ""),
    action: status ? "status" : word === "cut" ? "cut" : word === "sealed" ? "sealed" : "slow",
    status: Number(status ?? 503),
    delayMs: Number(delayMs ?? 0),
    after: false,
  };
  for (const option of options) {
    const read = optionPattern.exec(option);
    if (read === null) return fail(`"${option}" is not an option; use after, retry-after=<s>, service=<name> or xN`);
    const [, after, retryAfter, service, times] = read;
    const known = services.find((name) => name === service);
    if (service !== undefined && known === undefined) return fail(`"${service}" is not one of ${services.join(", ")}`);
    script = {
      ...script,
      ...(after === undefined ? {} : { after: true }),
      ...(retryAfter === undefined ? {} : { retryAfterSeconds: Number(retryAfter) }),
      ...(known === undefined ? {} : { service: known }),
      ...(times === undefined ? {} : { times: Number(times) }),
    };
  }
  return script;
});
