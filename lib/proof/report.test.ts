import { describe, expect, test } from "vitest";
import { messages } from "@/lib/i18n/messages";
import { historyProblem, isInHistory } from "@/lib/proof/history";
import { readReport } from "@/lib/proof/report";
import { leftOutIf } from "@/lib/testing/left-out";
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

  test("names commits of this history alone", async (context) => {
    leftOutIf(context, await historyProblem(process.cwd()));
    const parts = readReport(process.cwd())?.parts ?? [];
    const named = parts.flatMap(({ name, commits, mended }) =>
      [...commits, ...mended.map(({ commit }) => commit)].map((commit) => ({ name, commit })),
    );
    const lost: string[] = [];
    for (const { name, commit } of named) {
      if (!(await isInHistory(process.cwd(), commit))) lost.push(`${name}: ${commit}`);
    }
    expect(lost, "run these parts again: npm run proof -- --again --only NAME").toEqual([]);
  });

  test("has words in both languages for every part, unit, figure and list that it holds", () => {
    for (const { proof } of Object.values(messages)) {
      const words: Readonly<Record<string, Readonly<Record<string, string>>>> = {
        parts: proof.parts,
        shows: proof.shows,
        units: proof.units,
        figures: proof.figures,
        met: proof.met,
        times: proof.times,
      };
      for (const { name, unit } of PARTS) {
        expect(words.parts?.[name], name).toBeDefined();
        expect(words.shows?.[name], name).toBeDefined();
        expect(words.units?.[unit], unit).toBeDefined();
      }
      for (const { figures, met, times } of readReport(process.cwd())?.parts ?? []) {
        for (const name of Object.keys(figures)) expect(words.figures?.[name], name).toBeDefined();
        for (const name of Object.keys(met)) expect(words.met?.[name], name).toBeDefined();
        for (const name of Object.keys(times)) expect(words.times?.[name], name).toBeDefined();
      }
    }
  });

  test("adds what ran now to what ran before, and forgets nothing", () => {
    const before = {
      ran: 10,
      violations: ["one"],
      figures: { calls: 3 },
      met: { rows: ["S1", "S2"] },
      times: { web: [2] },
    };
    const now = {
      ran: 5,
      violations: ["two"],
      figures: { calls: 4, kills: 1 },
      met: { rows: ["S2", "S3"], points: ["send"] },
      times: { web: [1], worker: [3] },
    };
    expect(together(before, now)).toEqual({
      ran: 15,
      violations: ["one", "two"],
      figures: { calls: 7, kills: 1 },
      met: { rows: ["S1", "S2", "S3"], points: ["send"] },
      times: { web: [2, 1], worker: [3] },
    });
  });
});
