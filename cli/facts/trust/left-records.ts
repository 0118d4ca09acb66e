import type { Values } from "../../../provider/core/definition";
import { isRecord } from "../../../provider/core/unknowns";
import { definitions } from "../../../provider/resources";
import type { EvaluatedRecord } from "../../stack/evaluated-records";
import { readerOf } from "./cloud-changes";
import { exportsIn, MAY } from "./cluster-changes";
import { leftGroup } from "./group-changes";
import { leftMethod } from "./method-changes";
import { leftRoot } from "./root-changes";
import { listOf } from "./sentences";
import { code, type Said } from "./trust-change";

/** What still holds by a record that leaves the stack and stays on the server; of roles for logins, the role says it. @param roles Those of the auth method that it configures. */
export function leftRecord({ definition, values }: EvaluatedRecord, roles: readonly Values[]): readonly Said[] {
  const { token } = definition;
  const { name, destination } = values;
  const still = (sentence: string, what: string): Said => ({
    effect: "unclear",
    sentence: `${sentence}, and nobody manages ${what} any more.`,
  });
  switch (token) {
    case definitions.identityGroup.token:
      return leftGroup(values);
    case definitions.jwtConfig.token:
      return leftMethod(values, roles).map((sentence) => still(sentence, "the configuration"));
    case definitions.cloudRootConfig.token:
      return [leftRoot(values)];
    case definitions.sysPolicy.token:
      return [still(`Whoever has the policy ${code(name)} may still do what it allows`, "the policy")];
    case definitions.cloudRole.token:
    case definitions.cloudStaticRole.token:
      return [still(`${readerOf(values)} still gets credentials`, "the role")];
    case definitions.clusterExportedServices.token:
      return [...exportsIn(values["services"]).values()].map((text) =>
        still(text.replace(MAY, "may still use"), "the export"),
      );
    case definitions.clusterIntention.token:
      // What it forbids stays forbidden.
      if (listOf(values["sources"]).every((source) => isRecord(source) && source["action"] === "deny")) return [];
      return [
        still(
          `Whoever might connect to ${destination === "*" ? "every service" : code(destination)} still may`,
          "the intention",
        ),
      ];
    default:
      return [];
  }
}
