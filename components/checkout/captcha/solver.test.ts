import { createHash, randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import { buildSync } from "esbuild";
import { describe, expect, test } from "vitest";
import { solutionOf, solveChallenge } from "@/components/checkout/captcha/solver";

const challengeOf = (salt: string, number: number) => createHash("sha256").update(`${salt}${number}`).digest("hex");

describe("the solver", () => {
  test.each([0, 1, 2, 37, 46, 50, 54, 55, 56, 60, 63, 64, 65, 100, 119, 120, 127, 128, 200])(
    "hashes as everybody does behind a salt of %i characters",
    (length) => {
      const salt = randomBytes(length).toString("hex").slice(0, length);
      for (const number of [0, 9, 10, 99, 100, 1_234]) {
        expect(solveChallenge({ salt, challenge: challengeOf(salt, number), maxnumber: 2_000 })).toBe(number);
      }
    },
  );

  test("finds the last number asked for, and nothing beyond it", () => {
    expect(solveChallenge({ salt: "a", challenge: challengeOf("a", 40_000), maxnumber: 40_000 })).toBe(40_000);
    expect(solveChallenge({ salt: "a", challenge: challengeOf("a", 501), maxnumber: 500 })).toBeNull();
  });

  test("begins where it is told to, in the middle of any length", () => {
    for (const from of [0, 7, 99, 100, 4_321]) {
      expect(solveChallenge({ salt: "a", challenge: challengeOf("a", 5_000), maxnumber: 9_999 }, from)).toBe(5_000);
      expect(solveChallenge({ salt: "a", challenge: challengeOf("a", 5_000), maxnumber: 4_999 }, from)).toBeNull();
    }
    expect(solveChallenge({ salt: "a", challenge: challengeOf("a", 5_000), maxnumber: 9_999 }, 5_001)).toBeNull();
  });

  test("its answer is the challenge with the number", () => {
    const puzzle = { algorithm: "SHA-256", challenge: "c", maxnumber: 5, salt: "s", signature: "g" };
    expect(JSON.parse(atob(solutionOf(puzzle, 3)))).toEqual({
      algorithm: "SHA-256",
      challenge: "c",
      number: 3,
      salt: "s",
      signature: "g",
    });
  });

  test("the worker is within its two kilobytes", () => {
    const { outputFiles } = buildSync({
      entryPoints: ["components/checkout/captcha/solver.worker.ts"],
      bundle: true,
      minify: true,
      format: "iife",
      target: "es2022",
      write: false,
    });
    const [file] = outputFiles;
    expect(gzipSync(file?.contents ?? "").byteLength).toBeLessThanOrEqual(1_200);
  });
});
