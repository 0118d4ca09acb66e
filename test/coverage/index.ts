import { beyondAnswers } from "./beyond-answers.ts";
import { beyondConfigEntries } from "./beyond-config-entries.ts";
import { beyondDocuments } from "./beyond-documents.ts";
import { beyondEndpoints } from "./beyond-endpoints.ts";
import { beyondGroups } from "./beyond-groups.ts";
import { beyondMounts } from "./beyond-mounts.ts";
import { beyondPolicies } from "./beyond-policies.ts";
import { beyondPolicySets } from "./beyond-policy-sets.ts";
import { cloudEndpoints } from "./cloud-endpoints.ts";
import { cloudGeneration } from "./cloud-generation.ts";
import { cloudRole } from "./cloud-role.ts";
import { cloudRoot } from "./cloud-root.ts";
import { cloudStaticRole } from "./cloud-static-role.ts";
import { jwtConfig } from "./jwt-config.ts";
import { jwtEndpoints } from "./jwt-endpoints.ts";
import { jwtRequests } from "./jwt-requests.ts";
import { jwtRole } from "./jwt-role.ts";
import { jwtToken } from "./jwt-token.ts";
import { peering } from "./peering.ts";
import { peeringEndpoints } from "./peering-endpoints.ts";
import { policy } from "./policy.ts";
import { policyEndpoints } from "./policy-endpoints.ts";
import type { Sections, WholeSection } from "./section.ts";

const written: Sections = {
  ...jwtConfig,
  ...jwtRole,
  ...jwtToken,
  ...jwtEndpoints,
  ...jwtRequests,
  ...policy,
  ...policyEndpoints,
  ...peering,
  ...peeringEndpoints,
  ...cloudRoot,
  ...cloudRole,
  ...cloudStaticRole,
  ...cloudEndpoints,
  ...cloudGeneration,
  ...beyondDocuments,
  ...beyondConfigEntries,
  ...beyondAnswers,
  ...beyondMounts,
  ...beyondPolicies,
  ...beyondGroups,
  ...beyondPolicySets,
  ...beyondEndpoints,
};

/** All that the documents say, in their order, and what real servers have besides. */
export const sections: Readonly<Record<string, WholeSection>> = Object.fromEntries(
  Object.entries(written).map(([name, { of, evidence = [], rows }]) => {
    const usual = { says: "not described", real: "as documented", evidence };
    const whole = Object.entries(rows).map(([row, entry]) => [row, { ...usual, ...entry }] as const);
    return [name, { of, rows: Object.fromEntries(whole) }];
  }),
);
