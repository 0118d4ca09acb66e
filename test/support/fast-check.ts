import * as fastCheck from "fast-check";
import { testExtent } from "./test-extent.mts";

/** One seed for everybody, so that no pull request is red by chance. A live run by hand looks further, with seeds of its own. */
const seed = process.env["TRUSTPLANE_RANDOM_SEEDS"] === undefined ? { seed: 20_261_122 } : {};

/** A property that names no number of its own is tried so often. */
fastCheck.configureGlobal({ ...seed, numRuns: testExtent === "quick" ? 25 : 100 });

export * as fc from "fast-check";
