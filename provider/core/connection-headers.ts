import * as z from "zod";

/** Names of headers are tokens of HTTP (RFC 9110, section 5.6.2). */
const NAME = /^[\w!#$%&'*+.^`|~-]+$/;
/** What a value may hold without a break of the line. */
const VALUE = /^[\t\x20-\x7e]*$/;
/** What the client sets, or what belongs to one connection. */
const OWN = new Set([
  "accept",
  "authorization",
  "connection",
  "content-length",
  "content-type",
  "expect",
  "host",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "user-agent",
]);
/** They say who asks, and what for. */
const OWN_PREFIX = /^x-(vault|consul)-/;

/** Values by the name of their header. */
export interface ConnectionHeaders {
  readonly [name: string]: string;
}

/** Headers that a user gives. What is said of those that are refused shows no value. */
export const headersSchema: z.ZodType<ConnectionHeaders> = z
  .record(z.string(), z.string())
  .superRefine((headers, { addIssue }) => {
    for (const [name, value] of Object.entries(headers)) {
      const message = problemOf(name, value, headers);
      if (message !== undefined) addIssue({ code: "custom", path: [name], message });
    }
  });

function problemOf(name: string, value: string, headers: ConnectionHeaders): string | undefined {
  const lower = name.toLowerCase();
  if (!NAME.test(name)) return "is no name of a header";
  if (lower === "authorization")
    return "carries a token of the client's own: remove it; basic authentication before Consul is `httpAuthEnv`";
  if (OWN.has(lower) || OWN_PREFIX.test(lower)) return "is set by the client itself: remove it";
  if (Object.keys(headers).some((other) => other !== name && other.toLowerCase() === lower))
    return "is there twice, as names of headers have no case: remove one";
  return VALUE.test(value) ? undefined : "has a value that no header can carry, such as a break of the line";
}
