import * as trustplane from "trustplane";

const role = new trustplane.jwt.Role("ci", {
  name: "ci",
  roleType: "jwt",
  userClaim: "sub",
  boundAudiences: ["https://secrets.example.com"],
  tokenTtl: "15m",
});

export const login = role.id;
