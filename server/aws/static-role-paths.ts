import { definePath, listing, nameSegment, type Path, type Reply } from "../framework/backend";
import type { FieldData } from "../framework/field-data";
import { Failure, Refusal } from "../framework/refusal";
import type { EngineContext } from "./engine-context";
import { failingAs } from "./failing-as";
import { withGivenFields } from "./given-fields";
import { type StaticCredentials, type StaticRole, staticCredentialsPrefix, staticRolePrefix } from "./static-role";
import { assertUser, createKey, deleteKey } from "./static-role-key";

const fields = {
  name: "string",
  username: "string",
  rotation_period: "durationSecond",
  assume_role_arn: "string",
  assume_role_session_name: "string",
  external_id: "string",
} as const;
const accountFields = ["assume_role_arn", "assume_role_session_name", "external_id"] as const;
const ownAccount = { assume_role_arn: "", assume_role_session_name: "", external_id: "" };
type StaticRoleData = FieldData<typeof fields>;

const minimumPeriodSeconds = 60;

/** `static-roles`, `static-roles/:name` and `static-creds/:name`. */
export function staticRolePaths(context: EngineContext): readonly Path[] {
  const { storage } = context;
  const name = nameSegment("name", { also: "@" });
  const find = (data: StaticRoleData) => storage.get<StaticRole>(`${staticRolePrefix}${data.get("name")}`);
  return [
    definePath({
      pattern: "static-roles/?",
      fields: {},
      operations: { list: () => listing(storage.list(staticRolePrefix)) },
    }),
    definePath({
      pattern: `static-roles/${name}`,
      fields,
      operations: {
        read: ({ data }) => {
          const prefix = `failed to read configuration for static role "${data.get("name")}": `;
          return shown(failingAs(prefix, () => find(data)));
        },
        update: ({ data }) => {
          const existing = failingAs("couldn't check storage for pre-existing role: ", () => find(data));
          return shown(existing === undefined ? createRole(context, data) : updateRole(context, existing, data));
        },
        delete: ({ data }) => {
          const role = failingAs("couldn't locate role in storage due to error: ", () => find(data));
          if (role === undefined) return undefined;
          deleteKey(context, role);
          context.schedule.delete(role.name);
          storage.delete(`${staticRolePrefix}${role.name}`);
          return undefined;
        },
      },
    }),
    definePath({
      pattern: `static-creds/${name}`,
      fields: { name: "string" },
      operations: {
        read: ({ data }) => {
          const role = data.get("name");
          const credentials = failingAs(`failed to read credentials for role "${role}": `, () =>
            storage.get<StaticCredentials>(`${staticCredentialsPrefix}${role}`),
          );
          return credentials && { data: { ...credentials } };
        },
      },
    }),
  ];
}

/** The role is stored before its key is made, so a failure there leaves a role without credentials. */
function createRole(context: EngineContext, data: StaticRoleData): StaticRole {
  const username = data.given("username");
  if (username === undefined) throw new Refusal('missing "username" parameter');
  const { id } = assertUser(context, { username });
  const period = data.given("rotation_period");
  if (period === undefined) throw new Refusal('missing "rotation_period" parameter');
  assertPeriod(period);
  const named = { name: data.get("name"), id, username, rotation_period: period };
  const role = { ...named, ...withGivenFields(ownAccount, data, accountFields) };
  put(context, role);
  createKey(context, role);
  scheduleRotation(context, role);
  return role;
}

function updateRole(context: EngineContext, existing: StaticRole, data: StaticRoleData): StaticRole {
  const username = data.given("username") ?? existing.username;
  if (data.given("username") !== undefined) assertUser(context, { username, id: existing.id });
  const period = data.given("rotation_period") ?? existing.rotation_period;
  assertPeriod(period);
  const kept = withGivenFields(existing, data, accountFields);
  const role = put(context, { ...kept, username, rotation_period: period });
  if (context.storage.get(`${staticCredentialsPrefix}${role.name}`) === undefined) {
    createKey(context, role);
    assertUnscheduled(context, role);
  }
  if (context.profile.reschedulesOnWrite || !context.schedule.has(role.name)) scheduleRotation(context, role);
  return role;
}

function assertUnscheduled({ schedule }: EngineContext, role: StaticRole): void {
  if (schedule.has(role.name)) {
    // The cloud refused to delete the key of an earlier role of this name: Vault forgets the key, but keeps it scheduled for
    // rotation (asked of Vault 1.21.1).
    throw new Failure(`failed to add item into the rotation queue for role "${role.name}": duplicate item`);
  }
}

/** A whole period ahead. */
function scheduleRotation({ schedule, now }: EngineContext, role: StaticRole): void {
  schedule.set(role.name, now().getTime() + role.rotation_period * 1000);
}

function put({ storage }: EngineContext, role: StaticRole): StaticRole {
  storage.put(`${staticRolePrefix}${role.name}`, role);
  return role;
}

function assertPeriod(seconds: number): void {
  if (seconds >= minimumPeriodSeconds) return;
  throw new Failure("role rotation period out of range: must be greater than 60.00 seconds");
}

function shown(role: StaticRole | undefined): Reply | undefined {
  return role && { data: { ...role } };
}
