/** Pulumi's name of a resource or a function of the plugin: `trustplane:jwt/role:Role` for `jwt:Role`. */
export function typeToken(token: string): string {
  const [module = "", name = ""] = token.split(":");
  return `trustplane:${module}/${name.charAt(0).toLowerCase()}${name.slice(1)}:${name}`;
}
