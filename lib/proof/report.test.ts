import { describe, expect, test } from "vitest";
import { readReport } from "@/lib/proof/report";
import { PARTS } from "@/scripts/proof/parts";
import { together } from "@/scripts/proof/report";

describe("the report of the proofs", () => {
  test("that is committed can be read, names parts that exist and no violation", () => {
    const report = readReport(process.cwd());
    if (!report) return;
    const names = PARTS.map(({ name }) => name);
    for (const { name, ran, asked, violations, commits } of report.parts) {
      expect(names).toContain(name);
      expect(violations).toEqual([]);
      expect(ran).toBeLessThanOrEqual(asked);
      expect(commits.length, "what ran is known by its commit").toBeGreaterThan(0);
    }
  });

  test("adds what ran now to what ran before, and forgets nothing", () => {
    const before = { ran: 10, violations: ["one"], figures: { calls: 3 }, met: { rows: ["S1", "S2"] } };
    const now = {
      ran: 5,
      violations: ["two"],
      figures: { calls: 4, kills: 1 },
      met: { rows: ["S2", "S3"], points: ["send"] },
    };
    expect(together(before, now)).toEqual({
      ran: 15,
      violations: ["one", "two"],
      figures: { calls: 7, kills: 1 },
      met: { rows: ["S1", "S2", "S3"], points: ["send"] },
    });
  });
});
