import type { TestContext } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** Why the test was left out; the whole run prints it at its end. */
    leftOut?: string;
  }
}

/** Ends the test as left out when there is a reason to. Nothing is left out of the suite without one. */
export function leftOutIf(context: TestContext, why: string | undefined): void {
  if (why === undefined) return;
  context.task.meta.leftOut = why;
  context.skip(why);
}
