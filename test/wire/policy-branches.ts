import type { Branch } from "./branch.ts";

const service = "policy";
const dialect = "provider/dialects/tfe.ts";
const list = "GET policy-sets/{set}/parameters";
const create = "POST policy-sets/{set}/parameters";
const update = "PATCH policy-sets/{set}/parameters/{parameter}";
const remove = "DELETE policy-sets/{set}/parameters/{parameter}";
const errors = /"errors":\[/;
const sets = "GET organizations/{organization}/policy-sets";
const createSet = "POST organizations/{organization}/policy-sets";
const changeSet = "PATCH policy-sets/{set}";
const removeSet = "DELETE policy-sets/{set}";

/** Every branch on an answer of the policy API. */
export const policyBranches: readonly Branch[] = [
  { where: `${dialect} doubt`, service, status: 404, shows: errors, requests: [list, update, remove] },
  { where: `${dialect} doubt`, service, status: 404, shows: errors, requests: [sets, changeSet, removeSet] },
  { where: "provider/engine/gone-home.ts unlessHomeIsGone", service, status: 404, shows: errors, requests: [list] },
  { where: `${dialect} hidden`, service, status: 200, requests: ["GET policy-sets/{set}"] },
  { where: `${dialect} hidden`, service, status: 404, requests: ["GET policy-sets/{set}"] },
  { where: `${dialect} nextPage`, service, status: 200, shows: /"next":"[^"]+\?page/, requests: [list] },
  { where: `${dialect} nextPage`, service, status: 200, shows: /"next":null/, requests: [list] },
  { where: `${dialect} recordOf`, service, status: 200, shows: /"data":\[\]/, requests: [list] },
  { where: `${dialect} recordOf`, service, status: 201, shows: /"value":null/, requests: [create] },
  { where: `${dialect} recordOf`, service, status: 200, shows: /"workspaces":\{"data":\[\{/, requests: [sets] },
  { where: `${dialect} recordOf`, service, status: 200, shows: /"global":true/, requests: [changeSet] },
  { where: `${dialect} errorsOf`, service, status: 422, shows: /"detail":.*"detail":/, requests: [create, update] },
  { where: `${dialect} advice`, service, status: 401, shows: errors, requests: [list, create] },
  { where: `${dialect} advice`, service, status: 404, shows: errors, requests: [create, createSet] },
  { where: `${dialect} advice`, service, status: 429, shows: errors, requests: [update] },
  { where: `${dialect} limited`, service, status: 429, shows: /^x-ratelimit-limit: /m, requests: [update] },
  {
    where: "provider/http/send.ts askedWaitMs",
    service,
    status: 429,
    shows: /^x-ratelimit-reset: /m,
    requests: [update],
    unrecorded: "how long it is differs, so the recordings leave the header out (its form: reference A.6)",
  },
  { where: "provider/engine/answer.ts jsonOf", service, status: 204, requests: [remove] },
];
