import { profileFailure } from "../data/data-failure";
import { madeOnce, type Table } from "../data/tables";
import { type ProfileName, profiles } from "./profiles";

export interface WantedProfile {
  /** @default that of the data file, else "vault" */
  readonly wanted: ProfileName | undefined;
  /** The data file, for the error text; without one the data are always new. */
  readonly file: string | undefined;
}

/** The profile that the data were made with: one product may not understand the records of another. @throws DataFailure */
export function keptProfile(identifiers: Table<string>, { wanted, file = "" }: WantedProfile): ProfileName {
  const found = madeOnce(identifiers, "profile", () => wanted ?? "vault");
  if (isProfileName(found) && found === (wanted ?? found)) return found;
  throw profileFailure(file, { found, wanted: wanted ?? Object.keys(profiles).join(", ") });
}

function isProfileName(name: string): name is ProfileName {
  return Object.hasOwn(profiles, name);
}
