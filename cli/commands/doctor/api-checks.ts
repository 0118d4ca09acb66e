import { lacking, type ServerInfo } from "../../../provider/core/availability";
import { SERVICE_NAMES } from "../../../provider/core/connection-entry";
import type { Values } from "../../../provider/core/definition";
import { parseJson } from "../../../provider/core/parse-json";
import { NAMESPACES } from "../../../provider/core/tenant";
import { isRecord } from "../../../provider/core/unknowns";
import { dialects } from "../../../provider/dialects";
import { type Answer, adviceOn, type Dialect } from "../../../provider/dialects/dialect";
import { looksLikeHtml } from "../../../provider/engine/answer";
import { isWhole } from "../../../provider/engine/assert-tenant";
import { messageOf } from "../../../provider/engine/operation";
import { SEE_DOCTOR } from "../../../provider/engine/send-request";
import type { Inspection } from "./inspection";
import { shakeHands } from "./open-socket";
import { RECOGNITION } from "./recognise";
import { failed, notAsked, ok, type Verdict, warning } from "./report";

/** Is what answers the service's product? */
export async function checkApi(inspection: Inspection): Promise<Verdict> {
  const { target, addressSetting, dialect } = inspection;
  const { product, paths, isIt } = RECOGNITION[target.service];
  let last: Answer | undefined;
  for (const path of paths) {
    const sentAt = Date.now();
    try {
      last = await inspection.asNobody({ method: "GET", path });
    } catch (error) {
      return withoutAnswer(inspection, messageOf(error).replace(SEE_DOCTOR, ""));
    }
    if (!isIt(last)) continue;
    inspection.probe = { answer: last, sentAt, answeredAt: Date.now() };
    return ok(`speaks the API of ${product}`);
  }
  if (last === undefined) return notAsked("no question tells the product");
  if (saysHttps(last)) return failed("the server speaks https, not http", `write https:// in ${addressSetting}`);
  if (last.status >= 300 && last.status < 400) {
    const advice = adviceOn(dialect, { method: "GET", path: "" }, last) ?? "";
    return failed(`a redirect (${last.status})`, `${advice} The setting is ${addressSetting}.`);
  }
  const other = await otherProduct(inspection);
  if (other !== undefined) return failed(`this is ${other}, not ${product}`, `correct ${addressSetting}`);
  const what = looksLikeHtml(last)
    ? "an HTML page, perhaps of a proxy or a sign-in"
    : "nothing that this product answers";
  return failed(`${what} (${last.status})`, `correct ${addressSetting}, or let the API through what is before it`);
}

async function withoutAnswer({ settings, proxy, addressSetting }: Inspection, said: string): Promise<Verdict> {
  const { address } = settings;
  const isTls = address.protocol === "http:" && (await shakeHands(address, proxy).catch(() => undefined));
  if (isTls) return failed("the server speaks https, not http", `write https:// in ${addressSetting}`);
  if (/certificate required|bad certificate|handshake failure|alert number (116|42|40)/i.test(said))
    return failed(
      "the server wants a client certificate that it knows",
      `give one in ${settings.tls.certificate.namedBy} and ${settings.tls.key.namedBy}`,
    );
  return failed(said, `look at the server, or correct ${addressSetting}`);
}

/** What Go's and other servers answer to plain http at a port for https. */
function saysHttps({ status, text }: Answer): boolean {
  return status === 400 && /HTTP request (was sent )?to (an )?HTTPS/i.test(text);
}

/** The product of another service that answers here. */
async function otherProduct({ target, settings, asNobody, dialect }: Inspection): Promise<string | undefined> {
  const base = settings.address;
  for (const service of SERVICE_NAMES.filter((each) => each !== target.service)) {
    const { product, paths, isIt } = RECOGNITION[service];
    const of = Object.values<Dialect>(dialects).find((each) => each.service === service);
    for (const path of paths) {
      // Paths are below the prefix of the connection's own API.
      const up = dialect.prefix
        .split("/")
        .slice(2)
        .map(() => "..");
      const asked = [...up, (of?.prefix ?? "/").slice(1) + path].join("/");
      const answer = await asNobody({ method: "GET", path: asked }).catch(() => undefined);
      if (answer && isIt(answer)) return `${product} at ${base.origin}`;
    }
  }
  return undefined;
}

/** What the probe's JSON says. */
export function probed({ probe }: Inspection): Values {
  const json = parseJson(probe?.answer.text ?? "");
  return isRecord(json) ? json : {};
}

export function serverOf({ dialect, settings, probe }: Inspection): ServerInfo | undefined {
  const { address, namespace } = settings;
  return dialect.server(probe?.answer, { host: address.host, namespace });
}

export async function checkProduct(inspection: Inspection): Promise<Verdict> {
  const { service } = inspection.target;
  if (service === "secrets") {
    const { version } = probed(inspection);
    const server = serverOf(inspection);
    const name = server?.product === "openbao" ? "OpenBao" : server ? "Vault" : RECOGNITION.secrets.product;
    return ok([name, version, server?.enterprise ? "Enterprise" : ""].filter(Boolean).join(" "));
  }
  if (service === "policy") {
    const headers = inspection.probe?.answer.headers ?? {};
    return ok(
      [headers["tfp-appname"] ?? RECOGNITION.policy.product, headers["x-tfe-version"]].filter(Boolean).join(" "),
    );
  }
  const answer = await inspection.asNobody({ method: "GET", path: "v1/agent/version" });
  const json = parseJson(answer.text);
  const version = answer.status === 200 && isRecord(json) ? String(json["HumanVersion"] ?? "") : "";
  return ok(version ? `Consul ${version}` : "Consul; it does not say which release");
}

/** Does it answer requests: unsealed, active, with a leader? */
export function checkStatus(inspection: Inspection): Verdict {
  const { service } = inspection.target;
  if (service === "policy") return notAsked("the API does not say");
  if (service === "cluster") {
    const leader = parseJson(inspection.probe?.answer.text ?? "");
    if (leader === "") return failed("no leader", "bring a majority of the cluster's servers up");
    return ok("has a leader");
  }
  const { initialized, sealed, standby, performance_standby } = probed(inspection);
  if (initialized === false) return failed("not initialized", "initialize the server");
  if (sealed === true) return failed("sealed", "unseal the server");
  if (performance_standby === true) return ok("a performance standby; writes go to the active node");
  if (standby === true) return warning("a standby; it hands requests on", "name the active node or a load balancer");
  return ok("unsealed");
}

const MOST_SKEW_MS = 30_000;

/** `Date` counts whole seconds, at some time between the request and the answer. */
export function checkClock({ probe }: Inspection): Verdict {
  const date = Date.parse(probe?.answer.headers["date"] ?? "");
  if (probe === undefined || Number.isNaN(date)) return notAsked("the server does not say its time");
  const skewMs = date - (probe.sentAt + probe.answeredAt) / 2;
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  if (Math.abs(skewMs) <= MOST_SKEW_MS) return ok("both clocks agree");
  const finding = `the server's clock is ${seconds} s ${skewMs > 0 ? "ahead of" : "behind"} this machine's`;
  return warning(finding, "set the wrong clock: logins with a JWT fail, and leases end early");
}

export async function checkNamespace(inspection: Inspection): Promise<Verdict> {
  const { target, settings, dialect, asToken } = inspection;
  const { namespace, configKey } = settings;
  if (target.service !== "secrets") return notAsked("none is set");
  const named = target.resources.flatMap(({ needs }) => needs.flatMap(({ tenant }) => tenant ?? []));
  const tenants = [...(isWhole(namespace) ? [] : [undefined]), ...new Set(named)];
  if (tenants.length === 0) return notAsked("none is set");
  const within = (tenant: string | undefined) =>
    JSON.stringify(tenant === undefined ? namespace : (dialect.tenancy?.within(namespace, tenant) ?? tenant));
  const names = tenants.map(within).join(", ");
  const server = serverOf(inspection);
  const lack = server && lacking(NAMESPACES, server);
  if (lack !== undefined)
    return failed(
      `the server has no namespaces, and would do all outside of ${names}, so nothing is sent to it: that ${lack}`,
      isWhole(namespace) ? "take `namespace` out of the resources" : `unset ${namespaceSetting(inspection)}`,
    );
  for (const tenant of tenants) {
    // Anybody may ask this, and it is asked in the namespace.
    const answer = await asToken({ method: "GET", path: "sys/internal/ui/mounts", tenant });
    if (answer.status === 404 && /namespace not found|no handler for route/.test(answer.text))
      return failed(
        `there is no namespace ${within(tenant)}`,
        tenant === undefined
          ? `correct ${namespaceSetting(inspection)} or namespace in ${configKey}`
          : `make it, or correct \`namespace\` of the resources`,
      );
  }
  return ok(`${names}, as far as the server says`);
}

function namespaceSetting({ target, env }: Inspection): string {
  if (target.name !== undefined) return "the setting";
  return ["BAO_NAMESPACE", "VAULT_NAMESPACE"].find((variable) => env[variable]) ?? "VAULT_NAMESPACE";
}
