import { expect, it } from "vitest";
import {
  comparedRecord,
  comparedSet,
  type NestedShape,
  nestedFromWire,
  nestedToWire,
} from "../../../provider/core/nested-records";

const shape = {
  name: "Name",
  isOpen: "Open",
  steps: { wire: "Steps", of: { at: "At" } },
  peers: { wire: "Peers", isSet: true, of: { peer: "Peer" } },
  kind: { wire: "Kind", compared: (value) => String(value ?? "plain") },
} satisfies NestedShape;

it("a record goes to the wire and back by its names, without what is empty", () => {
  const record = { name: "a", isOpen: false, steps: [{ at: "1" }], peers: [], kind: "" };
  const wire = { Name: "a", Steps: [{ At: "1" }] };
  expect(nestedToWire(shape, record)).toEqual(wire);
  expect(nestedFromWire(shape, wire)).toEqual({ name: "a", steps: [{ at: "1" }] });
});

it("members that the shape does not have are not read", () => {
  expect(nestedFromWire(shape, { Name: "a", Precedence: 9, Steps: [{ At: "1", Computed: true }] })).toEqual({
    name: "a",
    steps: [{ at: "1" }],
  });
});

it("the order of a set does not count, that of a list does, and repetitions of a set do not", () => {
  const compared = (record: object) => comparedRecord(shape, { ...record });
  const [x, y] = [{ peer: "x" }, { peer: "y" }];
  expect(compared({ peers: [x, y, x] })).toEqual(compared({ peers: [y, x] }));
  expect(compared({ peers: [x] })).not.toEqual(compared({ peers: [x, y] }));
  expect(compared({ steps: [{ at: "1" }, { at: "2" }] })).not.toEqual(compared({ steps: [{ at: "2" }, { at: "1" }] }));
  expect(compared({ kind: undefined })).toEqual(compared({ kind: "plain" }));
  expect(comparedSet(shape, [{ name: "a" }, { name: "b" }])).toEqual(
    comparedSet(shape, [{ name: "b" }, { name: "a" }]),
  );
});
