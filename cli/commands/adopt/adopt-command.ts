import { basename, resolve } from "node:path";
import { SERVICE_NAMES, type Service } from "../../../provider/core/connection-entry";
import { ProviderError } from "../../../provider/core/errors";
import { createEngine } from "../../../provider/engine/engine";
import { progressOn } from "../../io/progress";
import { readDocument } from "../../io/read-text";
import { say, type Terminal } from "../../io/terminal";
import { oldState } from "../../sources/old-state";
import { type OtherLogins, otherLogins } from "../../sources/other-logins";
import { readOnly } from "../../sources/read-only";
import type { Found, NotAdopted } from "../../sources/servers/found-record";
import { foundIn, readLive, selected } from "../../sources/servers/read-servers";
import { namesService } from "../../sources/trusted-configuration";
import { visibleLine } from "../../text/visible-text";
import { adoptDifference } from "./adopt-difference";
import type { AdoptFlags } from "./adopt-flags";
import { adoptable } from "./adoptable";
import { type HandOver, handOverOf, type OldTraces } from "./hand-over";
import { ofProviders } from "./old-providers";
import { type OldRecords, oldRecords } from "./old-records";
import { folderProblem, leftOutLines, unreadLines, writeProject } from "./output-folder";
import { programOf } from "./program";
import { projectFiles } from "./project-files";

/** Requests at once: those of drift detection. */
const PARALLEL = 16;

/** Reads the servers and writes the project. Returns the exit code. */
export async function adopt(flags: AdoptFlags, terminal: Terminal): Promise<number> {
  const problem = problemOf(flags);
  if (problem !== undefined) throw new ProviderError("ConfigError", problem);
  const { out } = flags;
  if (flags.diff || out === undefined) return await adoptDifference(flags, terminal);
  const read = await readRecords(flags, terminal);
  const found = adoptable(selected(read.found, flags), flags);
  for (const line of unreadLines(found.unread)) say(line, terminal);
  if (found.records.length === 0) {
    for (const line of leftOutLines(found.leftOut)) say(line, terminal);
    throw new ProviderError("ConfigError", "there is nothing to adopt. Nothing was written.");
  }
  const program = programOf(found.records, read.old && { given: read.old.names });
  const project = basename(resolve(out));
  const handOver = read.old && handOverOf(read.old, found);
  writeProject(out, projectFiles(program, { ...flags, ...found, ...(handOver && { handOver }), project }));
  terminal.out(`${summary(found, out, handOver)}\n`);
  return found.unread.length > 0 ? 1 : 0;
}

/** What is wrong with the command line; undefined where nothing is. */
function problemOf({ out, diff, language, classes, ...flags }: AdoptFlags): string | undefined {
  if (!diff) {
    const [given] = (["state", "stack", "cwd", "connection"] as const).filter((name) => flags[name] !== undefined);
    if (given !== undefined) return `--${given} needs --diff.`;
    if (flags.file !== undefined) return `a state to look at needs --diff, or --from-state ${flags.file}.`;
    if (flags.provider.length > 0 && flags.fromState === undefined) return "--provider needs --from-state.";
    if (out === undefined) return "--out is missing: name a new or empty folder.";
  }
  if (language !== "typescript" && classes === "dynamic") return `--language ${language} needs --classes plugin.`;
  return out === undefined ? undefined : folderProblem(out);
}

/** What the servers have; with `--from-state`, only what the old state has, and its names. */
interface ReadRecords {
  readonly found: Found;
  readonly old?: OldNames;
}

interface OldNames extends OldTraces, Pick<OldRecords, "names"> {}

async function readRecords(flags: AdoptFlags, terminal: Terminal): Promise<ReadRecords> {
  const { fromState } = flags;
  const state = fromState === undefined ? undefined : oldState(await readDocument(fromState, terminal));
  const old = state && { tool: state.tool, ...ofProviders(state.resources, flags.provider) };
  const { progress, clear } = progressOn(terminal, (done, all) => `read ${done} of ${all} records`);
  const said = new Set<string>();
  const engine = createEngine({
    config: () => undefined,
    env: process.env,
    log: (_, message) => {
      clear();
      if (!said.has(message)) say(message, terminal);
      said.add(message);
    },
    around: readOnly,
  });
  try {
    const options = { parallel: PARALLEL, progress };
    if (old) {
      const { names, traced, ...found } = await oldRecords(engine, old.here, options);
      return { found, old: { ...old, names, traced } };
    }
    const { mount: mounts, organization: organizations, policySet: policySets, include, exclude } = flags;
    const services = servicesOf(flags);
    const selection = { services, mounts, organizations, policySets, include, exclude };
    const { live, ...others } = await readLive(engine, { ...selection, ...options });
    const isWhole = services.includes("secrets") && mounts.length === 0;
    const beside = isWhole ? await otherLogins(engine, live, { parallel: PARALLEL, reads: "none", where: "" }) : NONE;
    return {
      found: foundIn(live, { ...others, notLookedAt: [...(others.notLookedAt ?? []), ...otherLoginsOf(beside)] }),
    };
  } finally {
    clear();
    await engine.end();
  }
}

const NONE: OtherLogins = { logins: [], notLookedAt: [] };

/** Logins that no resource stands for, such as AppRole roles, with their number where the token may list them. */
function otherLoginsOf({ notLookedAt }: OtherLogins): readonly NotAdopted[] {
  return notLookedAt.map(({ what, reason = "no resource of this package stands for it" }) => ({ what, reason }));
}

function servicesOf({ service, mount, organization, policySet }: AdoptFlags): readonly Service[] {
  if (service.length > 0) return service;
  const services = SERVICE_NAMES.filter((name) => namesService(name, process.env));
  const ofPolicy = [...organization, ...policySet].length > 0 ? (["policy"] as const) : [];
  if (mount.length > 0) return ["secrets", ...ofPolicy];
  if (services.length > 0) return services;
  const todo = "set VAULT_ADDR, CONSUL_HTTP_ADDR or TFE_TOKEN, or give --service";
  throw new ProviderError("ConfigError", `it is not known which servers to read: ${todo}.`);
}

function summary({ records, leftOut, notLookedAt = [], unread }: Found, folder: string, handOver?: HandOver): string {
  const count = (list: readonly NotAdopted[], what: string) => (list.length > 0 ? [`${list.length} ${what}`] : []);
  const resources = `${records.length} ${records.length === 1 ? "resource" : "resources"}`;
  const parts = [
    resources,
    ...count(leftOut, "left out"),
    ...count(notLookedAt, "not looked at"),
    ...count(unread, "could not be read"),
    ...count(handOver?.staying ?? [], "stay in the old state"),
  ];
  return `Written to ${visibleLine(folder)}: ${parts.join(", ")}. README.md has the next commands.`;
}
