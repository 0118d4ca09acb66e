// Rules of a company for the trust in its stacks. They see resources of both forms of the package, and those of sets.
const { PolicyPack } = require("@pulumi/policy");

/** `jwt.Role` of `trustplane:jwt/role:Role` (the plugin) and of `pulumi-nodejs:dynamic/trustplane/jwt:Role` (the dynamic classes). */
function classOf(type) {
  const [, module, name] =
    /^(?:trustplane:|pulumi-nodejs:dynamic\/trustplane\/)(\w+)(?:\/\w+)?:(\w+)$/.exec(type) ?? [];
  return module === undefined ? undefined : `${module}.${name}`;
}

/** The roles that a resource is, each with a title: one, or those of a set with its defaults. */
function rolesIn({ type, name, props }) {
  if (classOf(type) === "jwt.Role") return [{ title: name, role: props }];
  if (classOf(type) !== "jwt.RoleSet") return [];
  const { defaults = {}, roles = {} } = props;
  return Object.entries(roles).map(([key, role]) => ({ title: `${name}, ${key}`, role: { ...defaults, ...role } }));
}

/** A rule for every role; what it finds is an answer, and nothing is fine. */
function roleRule(name, description, problemOf) {
  return {
    name,
    description,
    enforcementLevel: "mandatory",
    validateResource(resource, report) {
      for (const { title, role } of rolesIn(resource)) {
        const problem = problemOf(role);
        if (problem !== undefined) report(`${title}: ${problem}`);
      }
    },
  };
}

new PolicyPack("trust-rules", {
  policies: [
    roleRule("audience-of-ours", "Every role names one of our audiences.", ({ boundAudiences = [] }) => {
      const foreign = boundAudiences.filter((audience) => !audience.endsWith(".example.com"));
      if (boundAudiences.length === 0) return "it binds no audience";
      return foreign.length === 0 ? undefined : `${foreign.join(", ")} is no audience of ours`;
    }),
    roleRule("no-admin-for-machines", "Only people become admin.", ({ roleType = "oidc", tokenPolicies = [] }) =>
      roleType === "jwt" && tokenPolicies.includes("admin") ? "a machine becomes admin by it" : undefined,
    ),
  ],
});
