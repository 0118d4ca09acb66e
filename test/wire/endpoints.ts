import type { Definition } from "../../provider/core/definition.ts";
import type { FunctionDefinition } from "../../provider/core/function.ts";
import { removalOf } from "../../provider/core/removal.ts";
import type { Dialect } from "../../provider/dialects/dialect.ts";
import { dialects } from "../../provider/dialects/index.ts";
import { functions } from "../../provider/functions/index.ts";
import { definitions } from "../../provider/resources/index.ts";
import type { Service } from "./scenario.mts";

const TYPES: Readonly<Record<string, string>> = { "sys:AuthMount": "jwt", "sys:SecretsMount": "aws" };

/** What the provider asks for: of its definitions, its functions, and its dialects. */
export function endpoints(): { service: Service; method: string; path: string }[] {
  const all = Object.values<Definition>(definitions).flatMap((definition) => {
    const { create, update, read, inhabited, attached } = definition;
    const removal = removalOf(definition, { onDelete: "blank" });
    const asked = [
      create,
      update,
      { method: "GET", path: read.path },
      ...(removal ? [removal] : []),
      ...(attached
        ? [
            { method: "GET", path: attached.needs.path },
            { method: "POST", path: attached.write.path },
            { method: "DELETE", path: attached.remove.path },
          ]
        : []),
      // Of mounts of the types that the recorded servers have.
      ...(inhabited?.by({ type: TYPES[definition.token] }) ?? []).map((path) => ({
        method: "GET",
        path: `${path}?list=true`,
      })),
      ...(inhabited?.bound ? [{ method: "GET", path: `${inhabited.bound.path}?list=true` }] : []),
    ];
    return asked.map(({ method, path }) => ({ service: dialects[definition.dialect].service, method, path }));
  });
  const probes = Object.values<Dialect>(dialects).flatMap(({ service, probes = [] }) =>
    probes.map((path) => ({ service, method: "GET", path })),
  );
  const calls = Object.values<FunctionDefinition>(functions).flatMap(({ dialect, request, release }) => {
    const asked = [request({}), request({ endpoint: "sts" }), ...(release ? [{ method: "POST", ...release }] : [])];
    return asked.map(({ method, path }) => ({ service: dialects[dialect].service, method, path }));
  });
  const plain = [...all, ...calls, ...probes].map((each) => ({
    ...each,
    path: each.path
      .replace(/\[.*?\]/g, "")
      .replace(/\|\w+\}/g, "}")
      .replace(/^v1\//, ""),
  }));
  return plain.filter((each, at) => plain.findIndex((other) => JSON.stringify(other) === JSON.stringify(each)) === at);
}
