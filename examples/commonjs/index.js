const trustplane = require("trustplane");

const role = new trustplane.jwt.Role("ci", {
  name: "ci",
  roleType: "jwt",
  userClaim: "sub",
  boundAudiences: ["https://secrets.example.com"],
  tokenTtl: "15m",
});

exports.login = role.id;
