import type { Clock } from "@/lib/engine/clock";

export interface VirtualClock extends Clock {
  advance(seconds: number): void;
  set(at: Date): void;
}

/** A clock that stands still until it is moved. */
export function virtualClock(start: Date | string = "2026-03-02T12:00:00.000Z"): VirtualClock {
  let at = new Date(start);
  return {
    now: () => at,
    advance: (seconds) => {
      at = new Date(at.getTime() + seconds * 1_000);
    },
    set: (to) => {
      at = to;
    },
  };
}
