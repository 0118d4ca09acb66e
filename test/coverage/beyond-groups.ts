import type { Sections } from "./section.ts";

const evidence = ["wire secrets-identity-group"];

/** Groups and their aliases, which no document describes. */
export const beyondGroups = {
  "beyond: Groups": {
    of: ["identityGroup"],
    rows: {
      id: {
        real: "a UUID of the server; it stays through renames",
        evidence,
        asserted: "read; the same after an update",
      },
      type: {
        real: "`internal` (the default) or `external`; cannot be changed",
        evidence,
        asserted: "the default; a change replaces; another type that is there is refused",
      },
      policies: {
        real: "a set; Vault keeps letter case, OpenBao does not; `root` is refused, by 1.19 in lower case only",
        evidence,
        asserted: "set, read, reset; spellings; root in any letter case",
      },
      metadata: {
        real: "at most 64 pairs, names of 128 and values of 512 bytes; others are a 500",
        evidence,
        asserted: "set, read, reset; each limit",
      },
      member_entity_ids: {
        real: "internal groups only; an external one refuses even an empty list and shows who has logged in",
        evidence,
        asserted: "set, read, reset; not sent for external groups, nor shown as inputs of these",
      },
      member_group_ids: {
        real: "internal groups only; unknown ones are a 500, cycles a 400",
        evidence,
        asserted: "set, read, reset; not sent for external groups",
      },
      alias: {
        real: "read with the path of its mount, which is left out once the mount is gone; survives writes of the group",
        evidence,
        asserted: "set, changed, removed; drift after a mount was made anew or renamed",
      },
    },
  },
  "beyond: Endpoints of groups": {
    of: [],
    rows: {
      "POST identity/group/name/{name}": {
        real: "merges; 200 with the id of a new group, else 204; finds the name in any letter case and renames",
        evidence,
        asserted: "made, changed, reset; refusals; names with blanks, slashes and signs",
      },
      "GET identity/group/name/{name}": {
        real: "the group with its alias; empty lists may be null",
        evidence,
        asserted: "read, gone, another letter case",
      },
      "DELETE identity/group/name/{name}": {
        real: "204, whether or not it was there; takes the alias along",
        evidence,
        asserted: "twice",
      },
      "POST identity/group-alias": {
        real: "with an id changes that alias, without one replaces the group's; 400 where another group has the name",
        evidence,
        asserted: "made, changed, refused, interrupted",
      },
      "GET identity/group-alias/id?list=true": {
        real: "the aliases by id, with name and accessor; 404 without one; those of a mount that is gone stay",
        evidence,
        asserted: "before the delete of an auth method: there, elsewhere, none, refused",
      },
      "DELETE identity/group-alias/id/{id}": {
        real: "204, whether or not it was there; the group stays",
        evidence,
        asserted: "removed with the property, interrupted",
      },
    },
  },
} as const satisfies Sections;
