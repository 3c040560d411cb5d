import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { isUuid, newId, timeOfId } from "@/lib/ids";

const NOON = new Date("2030-01-01T12:00:00Z");

describe("ids in the order they were made", () => {
  beforeEach(() => void vi.useFakeTimers({ now: NOON, toFake: ["Date"] }));
  afterEach(() => void vi.useRealTimers());

  const many = (count: number) => Array.from({ length: count }, newId);
  const firstAfter = (ids: string[]) => ids.findIndex((id, at) => at > 0 && id <= (ids[at - 1] ?? ""));

  test("each greater than the one before, also when more are made than a millisecond can count", () => {
    const ids = many(20_000);
    expect(ids.every(isUuid)).toBe(true);
    expect(ids.every((id) => id[14] === "7")).toBe(true);
    expect(firstAfter(ids)).toBe(-1);
  });

  test("over a clock that is set back by seconds", () => {
    const before = many(10);
    vi.setSystemTime(NOON.getTime() - 2_000);
    expect(firstAfter([...before, ...many(10)])).toBe(-1);
  });

  test("by the clock again when it was wrong by more", () => {
    vi.setSystemTime(NOON.getTime() + 86_400_000);
    newId();
    vi.setSystemTime(NOON.getTime() + 1_000);
    expect(timeOfId(newId())).toEqual(new Date(NOON.getTime() + 1_000));
  });
});
