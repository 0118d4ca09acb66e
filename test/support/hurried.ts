import { vi } from "vitest";

/** Lets a minute pass with every look at the clock, as long as the work takes. */
export async function hurried<T>(work: () => Promise<T>): Promise<T> {
  let now = Date.now();
  const clock = vi.spyOn(Date, "now").mockImplementation(() => {
    now += 60_000;
    return now;
  });
  return work().finally(() => clock.mockRestore());
}
