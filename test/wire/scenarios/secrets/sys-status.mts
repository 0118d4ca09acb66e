import { defineScenario } from "../../scenario.mts";

export const sysStatus = defineScenario({
  topic: "sys-status",
  service: "secrets",
  servers: ["vault-1.21", "vault-1.19"],
  steps: [
    { title: "health", request: "GET sys/health", as: "nobody", outcome: "ok" },
    {
      title: "health as the provider asks for it",
      request: "GET sys/health?standbyok=true&perfstandbyok=true",
      as: "nobody",
      outcome: "ok",
    },
  ],
});
