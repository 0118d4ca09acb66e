/** Pulumi's name of a resource or a function of the plugin: `trustplane:jwt/role:Role` for `jwt:Role`. */
export function typeToken(token: string): string {
  const [module = "", name = ""] = token.split(":");
  return `trustplane:${module}/${name.charAt(0).toLowerCase()}${name.slice(1)}:${name}`;
}

/** What Pulumi's names of resources of the dynamic classes begin with. */
export const DYNAMIC = "pulumi-nodejs:dynamic/trustplane/";

/** Pulumi's name of a resource of the dynamic classes: `pulumi-nodejs:dynamic/trustplane/jwt:Role` for `jwt:Role`. */
export function dynamicTypeToken(token: string): string {
  return DYNAMIC + token;
}
