import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Begun last, each of these would run alone at the end. They are short to read, and size is all that is known else. */
const LONG = [
  "lib/testing/simulator/simulator.test.ts",
  "lib/charges/kills.test.ts",
  "app/api/fuzz.test.ts",
  "lib/testing/kills/kills.test.ts",
  "lib/testing/mutants/mutants.test.ts",
  "lib/testing/kills/restart.test.ts",
  "lib/testing/proofs/process-kills.test.ts",
  "lib/testing/proofs/rolling.test.ts",
  "app/api/tenancy.test.ts",
  "lib/http/database-away.test.ts",
  "app/api/v1/subscriptions/route.test.ts",
  "lib/purchases/recovery.test.ts",
  "lib/flows/replays/replays.test.ts",
];

/** The long files first; then those whose process keeps its modules, one after the other; the largest first in each. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config;
    const place = ({ moduleId, project }: TestSpecification): number => {
      const at = LONG.indexOf(relative(root, moduleId));
      if (at >= 0) return at;
      return project.config.isolate ? LONG.length + 1 : LONG.length;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}
