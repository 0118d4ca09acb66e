// @servers embedded consul

import { expect, it } from "vitest";
import { hasResource, hostNames, hosts } from "../support/contract-host.ts";
import { asRecorded, expectHidden } from "../support/contract-secrets.ts";
import { closeServersAfterwards, servicesUnderTest } from "../support/contract-servers.ts";
import { createStack } from "../support/contract-stack.ts";
import { openWorld } from "../support/contract-world.ts";
import { cases } from "./cases/index.ts";

closeServersAfterwards();

const clusterHosts = servicesUnderTest.includes("cluster") ? hostNames : [];
const issuingHosts = clusterHosts.filter((name) => hasResource(name, "clusterPeeringToken"));

// @covers peering: Peering connection > PeeringToken
it.each(issuingHosts)("the token that a cluster issues is a secret output, through the %s host", async (name) => {
  const world = await openWorld();
  const host = hosts[name]({ resource: "clusterPeeringToken", config: world.config() });
  const stack = createStack(host);
  await stack.up({ peerName: world.fresh("east") });
  const token = String(stack.entry()?.outputs["peeringToken"]);
  expect(token.length).toBeGreaterThan(40);
  await stack.refresh();
  expect(stack.entry()?.outputs["peeringToken"]).toBe(token);
  const { answers } = host;
  expect(answers.some((answer) => answer.includes(token))).toBe(name !== "engine");
  expectHidden([...answers.map(asRecorded), ...host.log(), ...world.traffic.seen().map(({ url }) => url)], token);
});

it.each(clusterHosts)("the token that a pair uses is recorded nowhere, through the %s host", async (name) => {
  const world = await openWorld();
  const stack = createStack(world.host(name, "clusterPeeredClusters"));
  const { full } = await cases.clusterPeeredClusters.prepare(world);
  await stack.up(full);
  expect(tokensIn(stack.entry())).toEqual([]);
  await stack.refresh();
  expect(tokensIn(stack.entry())).toEqual([]);
  const issuer = createStack(world.host("engine", "clusterPeeringToken"));
  await issuer.up({ peerName: world.fresh("east") });
  expect(tokensIn(issuer.entry())).toHaveLength(1);
});

/** Every text that holds an establishment secret once it is unpacked. */
function tokensIn(recorded: unknown): readonly string[] {
  const texts = JSON.stringify(recorded).match(/[A-Za-z0-9+/]{100,}=*/g) ?? [];
  return texts.filter((text) => Buffer.from(text, "base64").includes("EstablishmentSecret"));
}
