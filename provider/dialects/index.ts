import { consul } from "./consul";
import { tfe } from "./tfe";
import { vault } from "./vault";

/** The API families by the name that resources use. */
export const dialects = { vault, consul, tfe };
