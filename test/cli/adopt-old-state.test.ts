import { expect, it } from "vitest";
import { oldState } from "../../cli/sources/old-state.ts";

it.each([
  ["a state that OpenTofu has encrypted", '{"encrypted_data":"eA==","encryption_version":"v0"}', /`tofu state pull`/],
  ["what is no state", '{"version":4}', /is no state/],
])("%s is refused, and the message says what to give", (_, text, message) => {
  expect(() => oldState(text)).toThrow(message);
});
