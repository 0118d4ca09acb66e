import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as dynamic from "../../sdk";
import * as native from "../../sdk/native";
import { repository } from "../../tools/steps/repository.mjs";

interface WordsSpec {
  readonly enum?: readonly { readonly name: string; readonly value: string }[];
}

const { types }: { types: Readonly<Record<string, WordsSpec>> } = JSON.parse(
  readFileSync(join(repository, "schema/schema.json"), "utf8"),
);
const words = Object.entries(types).flatMap(([token, spec]) => (spec.enum ? [[token, spec.enum] as const] : []));

test.each(words)("both entry points name the words of %s, as programs of `pulumi import` do", (token, members) => {
  const [, module = "", name = ""] = /^trustplane:(.*)\/.*:(.*)$/.exec(token) ?? [];
  const expected = Object.fromEntries(members.map((member) => [member.name, member.value]));
  for (const library of [dynamic, native]) {
    const place: unknown = module === "index" ? library : Reflect.get(library, module);
    expect(Reflect.get(Object(place), name)).toEqual(expected);
  }
});
