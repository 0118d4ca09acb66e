import { Failure, Refusal } from "../framework/refusal";
import { type Group, withoutEmptyParts } from "./group-record";

interface Groups {
  group(id: string): Group | undefined;
  groups(): readonly Group[];
}

/** The groups in which this one is a member, directly or through others. */
export function ancestorsOf(group: Group, { group: groupOf }: Pick<Groups, "group">): readonly Group[] {
  const found = new Map<string, Group>();
  const visit = ({ parents }: Group) => {
    for (const id of parents ?? []) {
      const parent = groupOf(id);
      if (parent === undefined || found.has(id)) continue;
      found.set(id, parent);
      visit(parent);
    }
  };
  visit(group);
  return [...found.values()];
}

/** The groups that a new list of member groups changes: members name their parents. @throws Failure, Refusal */
export function parentsWritten(group: Group, wanted: readonly string[], groups: Groups): readonly Group[] {
  const ids = new Set(wanted);
  const left = groups
    .groups()
    .filter(({ id, parents }) => parents?.includes(group.id) && !ids.has(id))
    .map((member) => ({ ...member, parents: (member.parents ?? []).filter((id) => id !== group.id) }));
  const joined = [...ids].flatMap((id): Group[] => {
    const member = groups.group(id);
    if (member === undefined) throw new Failure(`invalid member group ID ${JSON.stringify(id)}`);
    if (member.parents?.includes(group.id)) return [];
    if (id === group.id) throw new Failure(`member group ID ${JSON.stringify(id)} is same as the ID of the group`);
    if (ancestorsOf(group, groups).some((ancestor) => ancestor.id === id))
      throw new Refusal(`cyclic relationship detected for member group ID ${JSON.stringify(id)}`);
    return [{ ...withoutEmptyParts(member), parents: [...(member.parents ?? []), group.id] }];
  });
  return [...left, ...joined];
}
