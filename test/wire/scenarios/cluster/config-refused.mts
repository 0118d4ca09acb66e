import { defineScenario, refused, step } from "../../scenario.mts";
import { exports, intentions, permitted, refusedPut } from "./config-steps.mts";

/** What Consul refuses in exported services, in intentions, and beside them. */
export const clusterConfigRefused = defineScenario({
  topic: "config-refused",
  service: "cluster",
  names: ["web"],
  steps: [
    {
      title: "a partition in the body",
      ...refusedPut(
        { ...exports([]), Partition: "team" },
        /^400 .*invalid config key "Partition".*Leave out `partition`/,
      ),
    },
    {
      title: "a sameness group",
      ...refusedPut(
        exports([{ Name: "web", Consumers: [{ SamenessGroup: "all" }] }]),
        /^500 .*sameness-groups are an enterprise-only feature.*Leave out `samenessGroup`/,
      ),
    },
    {
      title: "a service without consumers",
      ...refusedPut(exports([{ Name: "web" }]), /^500 Services\[0\]: must have at least one consumer/),
    },
    {
      title: "a service without a name",
      ...refusedPut(exports([{ Consumers: [{ Peer: "west" }] }]), /^500 Services\[0\]: service name cannot be empty/),
    },
    {
      title: "all peers",
      ...refusedPut(exports([{ Name: "web", Consumers: [{ Peer: "*" }] }]), /exporting to all peers \(wildcard\)/),
    },
    {
      title: "two consumers in one",
      ...refusedPut(
        exports([{ Name: "web", Consumers: [{ Peer: "west", Partition: "team" }] }]),
        /must define at most one of Peer, Partition, or SamenessGroup/,
      ),
    },
    {
      title: "another name than the only one",
      ...refusedPut({ ...exports([]), Name: "other" }, /^500 exported-services Name must be "default"/),
    },
    {
      title: "a namespace of the destination",
      ...refusedPut(
        { ...intentions([{ Name: "api", Action: "allow" }]), Namespace: "shop" },
        /^400 .*namespaces are a consul enterprise feature.*Leave out `namespace`/,
      ),
    },
    step(
      "a namespace in the path",
      `GET config/service-intentions/{web}?ns=shop`,
      refused(/^400 Invalid query parameter: "ns" .*Leave out `namespace`/),
    ),
    {
      // Of several keys in one record, which comes first is chance.
      title: "a source's namespace, and a key of nobody's",
      ...refusedPut(
        { ...intentions([{ Name: "api", Action: "allow", Namespace: "shop" }]), Other: 1 },
        /^400 .*2 errors occurred/,
      ),
    },
    {
      title: "a source's partition",
      ...refusedPut(intentions([{ Name: "api", Partition: "team" }]), /"Sources\[0\]\.Partition"/),
    },
    {
      title: "a source's sameness group",
      ...refusedPut(
        intentions([{ Name: "api", Action: "allow", SamenessGroup: "all" }]),
        /^500 .*Sameness groups are a Consul Enterprise feature.*Leave out `samenessGroup`/,
      ),
    },
    { title: "no sources", ...refusedPut(intentions([]), /^500 At least one source is required/) },
    {
      title: "no action",
      ...refusedPut(intentions([{ Name: "api" }]), /^500 Sources\[0\]\.Action must be set to 'allow' or 'deny'/),
    },
    {
      title: "a source twice",
      ...refusedPut(
        intentions([
          { Name: "api", Peer: "west", Action: "allow" },
          { Name: "api", Peer: "west", Action: "deny" },
        ]),
        /^500 Sources\[1\] defines peer\("west"\) "api" more than once/,
      ),
    },
    {
      title: "a part of a wildcard",
      ...refusedPut(intentions([{ Name: "ap*", Action: "allow" }]), /^500 Sources\[0\]\.Name: wildcard character/),
    },
    { title: "a permission without anything", ...refusedPut(intentions([permitted({})]), /HTTP should not be empty/) },
    {
      title: "two paths",
      ...refusedPut(intentions([permitted({ PathExact: "/a", PathPrefix: "/b" })]), /at most one of PathExact/),
    },
    {
      title: "a path without its slash",
      ...refusedPut(intentions([permitted({ PathExact: "a" })]), /PathExact doesn't start with '\/': "a"/),
    },
    {
      title: "a header with two conditions",
      ...refusedPut(
        intentions([permitted({ Header: [{ Name: "a", Exact: "b", Prefix: "c" }] })]),
        /should only contain one of Present, Exact/,
      ),
    },
    {
      title: "a method that is none",
      ...refusedPut(intentions([permitted({ Methods: ["FETCH"] })]), /Methods contains an invalid method "FETCH"/),
    },
    {
      title: "a value of the metadata that is too long",
      ...refusedPut(
        { ...intentions([{ Name: "api", Action: "allow" }]), Meta: { a: "v".repeat(513) } },
        /Meta value for key "a" exceeds maximum length 512/,
      ),
    },

    {
      title: "a kind of nobody's",
      ...refusedPut({ Kind: "other", Name: "a" }, /^400 .*invalid config entry kind: other/),
    },
    { title: "no kind", ...refusedPut({ Name: "a" }, /^400 .*Payload does not contain a kind\/Kind key/) },
    step("a list of a kind of nobody's", "GET config/other", refused(/^500 invalid config entry kind: other/)),
    step(
      "a delete without a name",
      "DELETE config/service-intentions",
      refused(/^404 Must provide both a kind and name to delete/),
    ),
  ],
});
