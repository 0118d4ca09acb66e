import type { Sections } from "./section.ts";

/** Cloud secrets engine: static roles and how their keys rotate. */
export const cloudStaticRole = {
  "cloud: Static role": {
    of: ["cloudStaticRole"],
    evidence: ["wire secrets-cloud-rotation", "reference secrets 4.6"],
    rows: {
      name: {
        says: "part of the path",
        real: "case counts; two dots are refused in their own words",
        evidence: ["wire secrets-cloud-rotation", "reference secrets 1.1"],
        asserted: "listed by name; forms of names",
      },
      username: {
        says: "required; the existing user",
        real: "looked up at the cloud, before the period is checked; another user is refused later",
        asserted: "missing, unknown and another user; in a program another user is another role",
      },
      rotation_period: {
        says: "required; one minute at least; a duration or seconds",
        real: "less than a minute is a 500; optional on an update",
        asserted: "missing, short and wrong ones; spellings are no difference",
      },
      "stored record": {
        says: "not shown",
        real: "a write answers it with 200: id, user, period, and three Enterprise fields",
        asserted: "the answer of a write and of a read",
      },
    },
  },
  "cloud: Rotation of static roles": {
    of: [],
    rows: {
      "1: a new key": {
        says: "creating makes a new key; where there are as many as can be, the oldest is rotated",
        evidence: ["wire secrets-cloud-rotation", "reference secrets 4.6"],
        asserted: "both cases at the cloud",
      },
      "2: the oldest key": {
        says: "each period rotates the oldest; a user without keys has two after the first rotation",
        evidence: ["reference secrets 4.6"],
        asserted: "keys after creation and two rotations; rotations that the clock has passed over",
      },
      "3: another period": {
        says: "updating the period puts the next rotation that far ahead",
        real: "newer Vault does, unseen; OpenBao does not",
        evidence: ["wire secrets-cloud-rotation", "reference secrets 4.6"],
        asserted: "when the key moves after an update; the change is in place",
      },
    },
  },
} satisfies Sections;
