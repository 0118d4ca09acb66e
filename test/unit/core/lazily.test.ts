import { expect, it, vi } from "vitest";
import { lazily } from "../../../provider/core/lazily";

it("makes a value when it is first asked for, and once, even if that is undefined", () => {
  const make = vi.fn(() => undefined);
  const value = lazily(make);
  expect(make).not.toHaveBeenCalled();
  expect([value(), value()]).toEqual([undefined, undefined]);
  expect(make).toHaveBeenCalledTimes(1);
});
