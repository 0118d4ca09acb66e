/** Each team has a role of its name, for the jobs of its projects. */
export const teams = ["billing", "checkout", "search"];
