import { describe, expect, it } from "vitest";
import type { HeldRecord } from "../../../provider/engine/held-record";
import { createFates } from "../../../provider/hosts/terraform/fate";

const held = (key: string, isDeletable = true): HeldRecord => ({ key, title: `Role ${key}`, id: key, isDeletable });
const [a, b, mark] = [held("a"), held("b"), held("mark", false)];
const stays = (id: string, ...records: HeldRecord[]) => ({ id, before: records, after: records });
const goes = (id: string, ...records: HeldRecord[]) => ({ id, before: records, after: [] });

describe("what a plan makes of the records of a state", () => {
  it.each([
    ["one is deleted, another stays", [goes("1", a), stays("2", b)]],
    ["both resources of a record are deleted", [goes("1", a), goes("2", a)]],
    ["both resources of a record stay", [stays("1", a), stays("2", a)]],
    ["one resource forgets what cannot be deleted", [goes("1", mark), stays("2", mark), goes("3", mark)]],
    ["a resource takes the place of another", [{ id: "1", before: [a], after: [b] }, goes("2", b)]],
  ])("is planned where %s", (_, resources) => {
    const fates = createFates();
    for (const resource of resources) fates.note(resource);
  });

  it.each([
    ["one keeps what another one deletes", [stays("1", a), goes("2", a)]],
    ["one deletes what another one keeps", [goes("1", a), stays("2", a)]],
    ["a set loses what another resource keeps", [{ id: "1", before: [a, b], after: [b] }, stays("2", a)]],
    ["a resource goes to another record", [stays("2", a), { id: "1", before: [a], after: [b] }]],
  ])("is refused where %s, until another plan begins", (_, resources) => {
    const fates = createFates();
    const [first, second] = resources;
    if (first) fates.note(first);
    const refused = () => second && fates.note(second);
    expect(refused).toThrow(
      /Role a \(a\) twice.*`terraform state list -id='[12]'` and `terraform state list -id='[12]'`/,
    );
    fates.clear();
    expect(refused).not.toThrow();
  });
});
