import { PACKAGE_NAME } from "../../../provider/core/package-name";
import { packageRange } from "../../io/package-origin";

/** Says from where, when that is a path: a project that somebody else has needs another one. */
export const installCommand = (range = packageRange()) =>
  range.startsWith("file:") ? `npm install # takes ${PACKAGE_NAME} from ${range.slice("file:".length)}` : "npm install";
