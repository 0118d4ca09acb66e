import type { Sections } from "./section.ts";

/** Document 3: static roles and how their keys rotate. */
export const cloudStaticRole = {
  "3 Static role": {
    of: ["cloudStaticRole"],
    rows: {
      name: {
        says: "part of the path",
        real: "case counts; two dots are refused in their own words",
        evidence: ["wire secrets-cloud-rotation", "reference secrets 1.1"],
        asserted: "listed by name; forms of names",
        tests: [
          "server/cloud-static-roles > is listed by name, and its credentials can only be read",
          "server/cloud-static-roles > with two dots in its name is refused on %s of %s in its own words",
          "unit/rules/cloud-engine > a cloud.StaticRole",
        ],
      },
      username: {
        says: "required; the existing user",
        real: "looked up at the cloud, before the period is checked; another user is refused later",
        evidence: ["wire secrets-cloud-rotation", "reference secrets 4.6"],
        asserted: "missing, unknown and another user; in a program another user is another role",
        tests: [
          "wire secrets-cloud-rotation > refuse no user",
          "wire secrets-cloud-rotation > refuse an unknown user",
          "wire secrets-cloud-rotation > refuse another user",
          "contract/traps/cloud-traps > another user is another static role, and the extra members of an answer are no inputs",
        ],
      },
      rotation_period: {
        says: "required; one minute at least; a duration or seconds",
        real: "less than a minute is a 500; optional on an update",
        evidence: ["wire secrets-cloud-rotation", "reference secrets 4.6"],
        asserted: "missing, short and wrong ones; spellings are no difference",
        tests: [
          "wire secrets-cloud-rotation > refuse no period",
          "wire secrets-cloud-rotation > refuse a period under a minute",
          "server/cloud-static-roles > is not updated to a period that is too short",
          "contract/cases/cloud-static-role > days and hours",
        ],
      },
      "stored record": {
        says: "not shown",
        real: "a write answers it with 200: id, user, period, and three Enterprise fields",
        evidence: ["wire secrets-cloud-rotation", "reference secrets 4.6"],
        asserted: "the answer of a write and of a read",
        tests: [
          "wire secrets-cloud-rotation > create",
          "wire secrets-cloud-rotation > read",
          "server/cloud-static-roles > answers its creation with its record, and makes a key",
        ],
      },
    },
  },
  "3 Rotation of static roles": {
    of: [],
    rows: {
      "1: a new key": {
        says: "creating makes a new key; where there are as many as can be, the oldest is rotated",
        real: "as documented",
        evidence: ["wire secrets-cloud-rotation", "reference secrets 4.6"],
        asserted: "both cases at the cloud",
        tests: [
          "server/cloud-rotation > 1: creating a static role makes a new key",
          "server/cloud-rotation > 1: when the most keys are there already, the oldest is rotated",
        ],
      },
      "2: the oldest key": {
        says: "each period rotates the oldest; a user without keys has two after the first rotation",
        real: "as documented",
        evidence: ["reference secrets 4.6"],
        asserted: "keys after creation and two rotations; rotations that the clock has passed over",
        tests: [
          "server/cloud-rotation > 2: a user without keys has the first from creation, the second from the first rotation, and loses the first at the next",
          "server/cloud-rotation > 2: every rotation that the clock has passed over is made",
        ],
      },
      "3: another period": {
        says: "updating the period puts the next rotation that far ahead",
        real: "newer Vault does, unseen; OpenBao does not",
        evidence: ["wire secrets-cloud-rotation", "reference secrets 4.6"],
        asserted: "when the key moves after an update; the change is in place",
        tests: [
          "server/cloud-rotation > 3: an update of rotation_period puts the next rotation a whole period ahead, unseen",
          "wire secrets-cloud-rotation > change the period",
          "contract/traps/cloud-traps > a change of the rotation period is a change in place, whatever the server says about the schedule",
        ],
      },
    },
  },
} satisfies Sections;
