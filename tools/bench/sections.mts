import type { Section } from "./section.mts";
import { checkAndDiff } from "./sections/check-and-diff.mts";
import { drift } from "./sections/drift.mts";
import { embeddedServer } from "./sections/embedded-server.mts";
import { lifecycle } from "./sections/lifecycle.mts";
import { providerStart } from "./sections/provider-start.mts";
import { requests } from "./sections/requests.mts";
import { sets } from "./sections/sets.mts";
import { stateSize } from "./sections/state-size.mts";
import { terraform } from "./sections/terraform.mts";

/** The report's parts, in its order. */
export const sections: readonly Section[] = [
  requests,
  checkAndDiff,
  providerStart,
  stateSize,
  lifecycle,
  sets,
  terraform,
  drift,
  embeddedServer,
];
