import { defineScenario, refused, step } from "../../scenario.mts";

const create = "POST auth/token/create";

/** Tokens of every kind, and what is left of them. */
export const tokens = defineScenario({
  topic: "tokens",
  steps: [
    step("create with everything", create, "ok", {
      body: {
        policies: ["default"],
        ttl: "1h",
        explicit_max_ttl: "2h",
        display_name: "ci job",
        meta: { team: "site" },
        num_uses: 5,
        no_parent: true,
        renewable: true,
        type: "service",
      },
      keep: { full: "/auth/client_token", accessor: "/auth/accessor" },
    }),
    step("look it up", "POST auth/token/lookup", "ok", { body: { token: "{full}" } }),
    step("look it up by accessor", "POST auth/token/lookup-accessor", "ok", { body: { accessor: "{accessor}" } }),
    step("create with a period", create, "ok", {
      body: { policies: ["default"], period: "30m" },
      keep: { periodic: "/auth/client_token" },
    }),
    step("renew with a period", "POST auth/token/renew-self", "ok", { as: "periodic" }),
    step("create a batch token", create, "ok", {
      body: { policies: ["default"], type: "batch", ttl: "1h" },
      keep: { batch: "/auth/client_token" },
    }),
    step("look up a batch token", "GET auth/token/lookup-self", "ok", { as: "batch" }),
    step("renew a batch token", "POST auth/token/renew-self", refused(/400 batch tokens cannot be renewed/), {
      as: "batch",
    }),
    step("revoke a batch token", "POST auth/token/revoke-self", refused(/400 batch tokens cannot be revoked/), {
      as: "batch",
    }),
    step("create without the default policy", create, "ok", {
      body: { policies: ["reader"], no_default_policy: true },
    }),
    step("create for one use", create, "ok", {
      body: { policies: ["default"], num_uses: 1 },
      keep: { once: "/auth/client_token" },
    }),
    step("use it", "GET auth/token/lookup-self", "ok", { as: "once" }),
    step("use it again", "GET auth/token/lookup-self", refused(/403 permission denied; invalid token/), { as: "once" }),
    step("create beyond the maximum", create, "ok", { body: { policies: ["default"], ttl: "9000h" } }),
    step("create with a lifetime that is none", create, refused(/400 time: invalid duration/), {
      body: { ttl: "abc" },
    }),
    step("create with an unknown type", create, refused(/400 invalid 'token_type' value/), { body: { type: "other" } }),
    step("create a batch token with a period", create, refused(/400 batch tokens cannot have "period" set/), {
      body: { policies: ["default"], type: "batch", period: "1h" },
    }),
    step("create without permission", create, refused(/403 permission denied/), { body: {}, as: "periodic" }),
    step("look up an unknown token", "POST auth/token/lookup", refused(/403 bad token/), { body: { token: "none" } }),
    step("look up no accessor", "POST auth/token/lookup-accessor", refused(/missing accessor/), { body: {} }),
    step("look up an unknown accessor", "POST auth/token/lookup-accessor", refused(/invalid accessor/), {
      body: { accessor: "none" },
    }),
    step("revoke another one", "POST auth/token/revoke", "ok", { body: { token: "{full}" } }),
    step("revoke no token", "POST auth/token/revoke", refused(/400 missing token ID/), { body: {} }),
    step(
      "use what another one revoked",
      "GET auth/token/lookup-self",
      refused(/403 permission denied; invalid token/),
      { as: "full" },
    ),
  ],
});
