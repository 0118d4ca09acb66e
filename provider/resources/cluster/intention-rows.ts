import * as z from "zod";
import type { Values } from "../../core/definition";
import { type Field, required, row } from "../../core/field";
import { comparedRecord, comparedSet, type NestedShape, nestedFromWire, nestedToWire } from "../../core/nested-records";
import { comparedPlace } from "./place";

/** A claim that a token must have. */
export interface IntentionClaim {
  /** Names that lead to the claim in the token's JSON, from the outside in. */
  path: string[];
  /** Value of the claim; of a claim that is a list, one of its elements. */
  value: string;
}

/** An issuer of tokens. */
export interface IntentionJwtProvider {
  /** Name of the config entry `jwt-provider`, which must be there. */
  name: string;
  /** Claims that a token of this issuer must have, all of them. */
  verifyClaims?: IntentionClaim[];
}

/** What a request's JWT must be. */
export interface IntentionJwt {
  /** Accepted issuers; any one suffices. */
  providers?: IntentionJwtProvider[];
}

/** What a header of a request must be: exactly one of `present`, `exact`, `prefix`, `suffix`, `contains` and `regex`. */
export interface IntentionHttpHeader {
  /** Name of the header. */
  name: string;
  /** The header is there, whatever its value. */
  present?: boolean;
  /** The whole value. */
  exact?: string;
  /** Beginning of the value. */
  prefix?: string;
  /** End of the value. */
  suffix?: string;
  /** Part of the value. */
  contains?: string;
  /** RE2 pattern that the whole value matches. */
  regex?: string;
  /** Whether the header must not be so. */
  invert?: boolean;
  /** Whether letter case does not count. Not with `present` and `regex`. */
  ignoreCase?: boolean;
}

/** Which HTTP requests are meant. At most one of `pathExact`, `pathPrefix` and `pathRegex`. */
export interface IntentionHttp {
  /** The whole path. */
  pathExact?: string;
  /** Beginning of the path. */
  pathPrefix?: string;
  /** RE2 pattern that the whole path matches. */
  pathRegex?: string;
  /** Headers, all of which must fit. */
  header?: IntentionHttpHeader[];
  /** HTTP methods; any one when unset. */
  methods?: string[];
}

/** What becomes of some HTTP requests. The destination's protocol must be HTTP. */
export interface IntentionPermission {
  /** Whether these requests are allowed. */
  action: "allow" | "deny";
  /** The requests that are meant. */
  http: IntentionHttp;
  /** What the token of such a request must be. */
  jwt?: IntentionJwt;
}

/** Who is allowed or denied. */
export interface IntentionSource {
  /** Name of the calling service; `*` for any. */
  name: string;
  /** Name of the peering through which the caller comes; this cluster when unset. */
  peer?: string;
  /** Whether the caller may connect. Either this or `permissions`. */
  action?: "allow" | "deny";
  /** HTTP requests that are allowed or denied: the first one that fits decides. */
  permissions?: IntentionPermission[];
  /** What the source is for. */
  description?: string;
  /** Namespace of the caller, Enterprise only; that of the destination when unset, of a peer the default one. */
  namespace?: string;
  /** Admin partition of the caller, Enterprise only; that of the destination when unset. */
  partition?: string;
  /** Sameness group of the caller, Enterprise only. */
  samenessGroup?: string;
}

const JWT = {
  providers: {
    wire: "Providers",
    isSet: true,
    of: {
      name: "Name",
      verifyClaims: { wire: "VerifyClaims", isSet: true, of: { path: "Path", value: "Value" } },
    },
  },
} satisfies NestedShape;

const HEADER = {
  name: "Name",
  present: "Present",
  exact: "Exact",
  prefix: "Prefix",
  suffix: "Suffix",
  contains: "Contains",
  regex: "Regex",
  invert: "Invert",
  ignoreCase: "IgnoreCase",
} satisfies NestedShape;

const HTTP = {
  pathExact: "PathExact",
  pathPrefix: "PathPrefix",
  pathRegex: "PathRegex",
  header: { wire: "Header", isSet: true, of: HEADER },
  methods: { wire: "Methods", compared: methodsInAnyOrder },
} satisfies NestedShape;

/** The server computes Precedence and Type, and keeps LegacyID and its like for an older API. */
const SOURCE = {
  name: "Name",
  peer: "Peer",
  action: "Action",
  permissions: {
    wire: "Permissions",
    of: { action: "Action", http: { wire: "HTTP", of: HTTP }, jwt: { wire: "JWT", of: JWT } },
  },
  description: "Description",
  namespace: { wire: "Namespace", compared: comparedPlace },
  partition: { wire: "Partition", compared: comparedPlace },
  samenessGroup: "SamenessGroup",
} satisfies NestedShape;

const text = z.string({ error: "must be a string" });
const nonEmpty = text.min(1, { error: "must not be empty" });
const flag = z.boolean({ error: "must be true or false" });
const action = z.enum(["allow", "deny"], { error: 'must be one of "allow", "deny"' });

const jwtSchema = record("{ providers }", {
  providers: list("{ name }", {
    name: nonEmpty,
    verifyClaims: list("{ path, value }", { path: z.array(nonEmpty), value: nonEmpty }).optional(),
  }).optional(),
});

const httpSchema = record("{ pathPrefix, methods }", {
  pathExact: text.optional(),
  pathPrefix: text.optional(),
  pathRegex: text.optional(),
  header: list("{ name, exact }", {
    name: nonEmpty,
    present: flag.optional(),
    exact: text.optional(),
    prefix: text.optional(),
    suffix: text.optional(),
    contains: text.optional(),
    regex: text.optional(),
    invert: flag.optional(),
    ignoreCase: flag.optional(),
  }).optional(),
  methods: z.array(text, { error: "must be a list of strings" }).optional(),
});

const sourceSchema = {
  name: nonEmpty,
  peer: text.optional(),
  action: action.optional(),
  permissions: list("{ action, http }", { action, http: httpSchema, jwt: jwtSchema.optional() }).optional(),
  description: text.optional(),
  namespace: text.optional(),
  partition: text.optional(),
  samenessGroup: text.optional(),
};

/** The sources of an intention. The server sorts them, so their order does not matter; that of permissions does. */
export function sources(wire: string): Field<IntentionSource[], true> {
  return required(
    row<IntentionSource[]>({
      place: "body",
      wire,
      // zod's optional member may be `undefined`; `exactOptionalPropertyTypes` knows only an absent one.
      schema: list("{ name, action }", sourceSchema) as unknown as z.ZodType<IntentionSource[]>,
      empty: [],
      encode: (all) => all.map((source) => nestedToWire(SOURCE, { ...source })),
      // The members of the shape are those of the interface.
      decode: (answer) =>
        ((answer ?? []) as Values[]).map((each) => nestedFromWire(SOURCE, each) as unknown as IntentionSource),
      canonical: (all) => comparedSet(SOURCE, (all ?? []) as unknown as Values[]),
    }),
  );
}

export function jwt(wire: string): Field<IntentionJwt, false> {
  return row<IntentionJwt>({
    place: "body",
    wire,
    schema: jwtSchema as unknown as z.ZodType<IntentionJwt>,
    empty: {},
    encode: (value) => nestedToWire(JWT, { ...value }),
    decode: (answer) =>
      answer === undefined || answer === null
        ? undefined
        : (nestedFromWire(JWT, answer as Values) as unknown as IntentionJwt),
    canonical: (value) => comparedRecord(JWT, { ...value }),
  });
}

function methodsInAnyOrder(methods: unknown): unknown {
  return Array.isArray(methods) ? methods.map((method) => String(method).toUpperCase()).sort() : methods;
}

function list<Shape extends z.ZodRawShape>(form: string, shape: Shape) {
  return z.array(record(form, shape), { error: `must be a list of ${form}` });
}

function record<Shape extends z.ZodRawShape>(form: string, shape: Shape) {
  return z.strictObject(shape, { error: ({ code }) => (code === "invalid_type" ? `must be ${form}` : undefined) });
}
