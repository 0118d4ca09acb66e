import * as fastCheck from "fast-check";

/** One seed for everybody, so that no pull request is red by chance. A live run by hand looks further, with seeds of its own. */
if (process.env["TRUSTPLANE_RANDOM_SEEDS"] === undefined) fastCheck.configureGlobal({ seed: 20_261_122 });

export * as fc from "fast-check";
