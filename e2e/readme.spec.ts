import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";

/** The README's five minutes, word for word, as someone new would paste them. */
function tour(): string {
  const readme = readFileSync(join(import.meta.dirname, "..", "README.md"), "utf8");
  const start = readme.indexOf("## Five minutes with curl");
  const part = readme.slice(start, readme.indexOf("\n## ", start + 1));
  const blocks = [...part.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block);
  return blocks.join("\n").replaceAll("./.data/demo.json", process.env.E2E_DEMO_FILE ?? "./.data/demo.json");
}

test("the README's commands do what it says", () => {
  test.slow();
  const output = execFileSync("bash", ["-euo", "pipefail", "-c", tour()], { encoding: "utf8", timeout: 150_000 });
  const answers = output
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map(
      (line) =>
        JSON.parse(line) as {
          status?: string;
          error?: unknown;
          paymentMethod?: { paymentType: string };
          payments?: unknown[];
        },
    );
  expect(answers.filter((answer) => answer.error)).toEqual([]);
  const ends = (paymentType: string) =>
    answers.filter((answer) => answer.paymentMethod?.paymentType === paymentType).map((answer) => answer.status);
  expect(ends("credit").at(-1)).toBe("voided");
  expect(ends("pix")).toEqual(["authorized", "pending"]);
  expect(ends("boleto").at(-1)).toBe("authorized");
  expect(answers.find((answer) => answer.payments)?.status).toBe("paid");
  expect(output).toContain("received transaction.pending");
});
