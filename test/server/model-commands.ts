import { expect } from "vitest";
import type { Running } from "../../server/serve";
import { fc } from "../support/fast-check.ts";
import { askConsul, askPolicy, askVault, type Model } from "./model-world";

export type Command = fc.AsyncCommand<Model, Running>;

/** A command that may come at any time: what it must answer is the model's to say. */
function command(title: string, run: (model: Model, server: Running) => Promise<void>): Command {
  return { check: () => true, run, toString: () => title };
}

// Few names, so that commands meet.
const names = ["a", "b", "c"] as const;
const name = fc.constantFrom(...names);
const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 });

const mountPath = (model: Model, mount: string) => `${model.prefix}${mount}`;
const sorted = (names: Iterable<string>) => [...names].sort();

const enable = name.map((mount) =>
  command(`enable ${mount}`, async (model, server) => {
    const isThere = model.mounts.has(mount);
    const answer = await askVault(server, `POST sys/auth/${mountPath(model, mount)}`, { type: "jwt" });
    expect(answer.status).toBe(isThere ? 400 : 204);
    if (!isThere) model.mounts.set(mount, new Map());
  }),
);

const disable = name.map((mount) =>
  command(`disable ${mount}`, async (model, server) => {
    expect((await askVault(server, `DELETE sys/auth/${mountPath(model, mount)}`)).status).toBe(204);
    model.mounts.delete(mount);
  }),
);

const mountsListed = command("list mounts", async (model, server) => {
  const { json } = await askVault(server, "GET sys/auth");
  const own = Object.keys(json.data).filter((path) => new RegExp(`^${model.prefix}[abc]/$`).test(path));
  expect(sorted(own)).toEqual(sorted(model.mounts.keys()).map((mount) => `${mountPath(model, mount)}/`));
});

const writeRole = fc.tuple(name, name, text).map(([mount, role, subject]) =>
  command(`write role ${mount}/${role} ${JSON.stringify(subject)}`, async (model, server) => {
    const roles = model.mounts.get(mount);
    const body = { role_type: "jwt", user_claim: "sub", bound_subject: subject };
    const answer = await askVault(server, `POST auth/${mountPath(model, mount)}/role/${role}`, body);
    expect(answer.status).toBe(roles === undefined ? 404 : 204);
    roles?.set(role, subject);
  }),
);

const roleRead = (mount: string, role: string) =>
  command(`read role ${mount}/${role}`, async (model, server) => {
    const subject = model.mounts.get(mount)?.get(role);
    const answer = await askVault(server, `GET auth/${mountPath(model, mount)}/role/${role}`);
    expect(answer.status).toBe(subject === undefined ? 404 : 200);
    if (subject !== undefined) expect(answer.json.data.bound_subject).toBe(subject);
  });

const rolesListed = (mount: string) =>
  command(`list roles of ${mount}`, async (model, server) => {
    const roles = sorted(model.mounts.get(mount)?.keys() ?? []);
    const answer = await askVault(server, `LIST auth/${mountPath(model, mount)}/role`);
    expect(answer.status).toBe(roles.length === 0 ? 404 : 200);
    if (roles.length > 0) expect(answer.json.data.keys).toEqual(roles);
  });

const deleteRole = fc.tuple(name, name).map(([mount, role]) =>
  command(`delete role ${mount}/${role}`, async (model, server) => {
    const roles = model.mounts.get(mount);
    const answer = await askVault(server, `DELETE auth/${mountPath(model, mount)}/role/${role}`);
    expect(answer.status).toBe(roles === undefined ? 404 : 204);
    roles?.delete(role);
  }),
);

const writePeer = fc.tuple(name, text).map(([peer, meta]) =>
  command(`write peering ${peer} ${JSON.stringify(meta)}`, async (model, server) => {
    const body = { PeerName: `${model.prefix}${peer}`, Meta: { meta } };
    expect((await askConsul(server, "POST peering/token", body)).status).toBe(200);
    // A new token for a peering that is there changes nothing about it (reference B.5).
    if (!model.peers.has(peer)) model.peers.set(peer, meta);
  }),
);

const peerRead = (peer: string) =>
  command(`read peering ${peer}`, async (model, server) => {
    const meta = model.peers.get(peer);
    const answer = await untilDeleted(server, `${model.prefix}${peer}`);
    expect(answer.status).toBe(meta === undefined ? 404 : 200);
    if (meta !== undefined) expect(answer.json.Meta).toEqual({ meta });
  });

const peersListed = command("list peerings", async (model, server) => {
  const { json } = await askConsul(server, "GET peerings");
  const own = json
    .filter((peer: { Name: string; State: string }) => peer.State !== "DELETING")
    .map((peer: { Name: string }) => peer.Name)
    .filter((peer: string) => new RegExp(`^${model.prefix}[abc]$`).test(peer));
  expect(sorted(own)).toEqual(sorted(model.peers.keys()).map((peer) => `${model.prefix}${peer}`));
});

const deletePeer = name.map((peer) =>
  command(`delete peering ${peer}`, async (model, server) => {
    expect((await askConsul(server, `DELETE peering/${model.prefix}${peer}`)).status).toBe(200);
    await untilDeleted(server, `${model.prefix}${peer}`);
    model.peers.delete(peer);
  }),
);

/** A peering that goes is still shown for a moment. */
async function untilDeleted(server: Running, peer: string) {
  for (;;) {
    const answer = await askConsul(server, `GET peering/${peer}`);
    if (answer.json.State !== "DELETING") return answer;
  }
}

const createParameter = fc.tuple(name, text, fc.boolean()).map(([key, value, sensitive]) =>
  command(`create parameter ${key} ${JSON.stringify({ value, sensitive })}`, async (model, server) => {
    const attributes = { key: `${model.prefix}${key}`, value, category: "policy-set", sensitive };
    const { status, json } = await askPolicy(server, "POST parameters", attributes);
    expect(status).toBe(model.parameters.has(key) ? 422 : 201);
    if (status === 201) model.parameters.set(key, { id: json.data.id, value, sensitive });
  }),
);

const updateParameter = fc.tuple(name, text).map(([key, value]) =>
  command(`update parameter ${key} ${JSON.stringify(value)}`, async (model, server) => {
    const parameter = model.parameters.get(key);
    const { status } = await askPolicy(server, `PATCH parameters/${parameter?.id ?? "var-none"}`, { value });
    expect(status).toBe(parameter === undefined ? 404 : 200);
    if (parameter !== undefined) model.parameters.set(key, { ...parameter, value });
  }),
);

const parametersRead = command("read parameters", async (model, server) => {
  const { json } = await askPolicy(server, "GET parameters?page%5Bsize%5D=100");
  type Row = { id: string; attributes: { key: string; value: string | null; sensitive: boolean } };
  const own: Row[] = json.data.filter(({ attributes }: Row) =>
    new RegExp(`^${model.prefix}[abc]$`).test(attributes.key),
  );
  const read = own.map(({ id, attributes: { key, value, sensitive } }) => ({ id, key, value, sensitive }));
  const wanted = Array.from(model.parameters, ([key, { id, value, sensitive }]) => {
    return { id, key: `${model.prefix}${key}`, value: sensitive ? null : value, sensitive };
  });
  const byId = (a: { id: string }, b: { id: string }) => a.id.localeCompare(b.id);
  expect(read.sort(byId)).toEqual(wanted.sort(byId));
});

const deleteParameter = name.map((key) =>
  command(`delete parameter ${key}`, async (model, server) => {
    const id = model.parameters.get(key)?.id;
    const { status } = await askPolicy(server, `DELETE parameters/${id ?? "var-none"}`);
    expect(status).toBe(id === undefined ? 404 : 204);
    model.parameters.delete(key);
  }),
);

/** Reads all there is; after a run it shows what no read of the run came across. */
export const allReads: readonly Command[] = [
  ...[mountsListed, peersListed, parametersRead],
  ...names.flatMap((mount) => [rolesListed(mount), ...names.map((role) => roleRead(mount, role))]),
  ...names.map(peerRead),
];

/** Everything that may happen to a server, with what the model says of it. */
export const commands: fc.Arbitrary<Command>[] = [
  ...[enable, disable, writeRole, deleteRole, writePeer, deletePeer],
  ...[createParameter, updateParameter, deleteParameter],
  ...[fc.constantFrom(...allReads)],
];
