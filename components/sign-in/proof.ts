import { type Puzzle, solutionOf, solveChallenge } from "@/components/checkout/captcha/solver";

const AT_A_TIME = 10_000;

/** In slices, so that the page answers meanwhile; null for a puzzle that has no solution. */
export async function solvePuzzle(puzzle: Puzzle): Promise<string | null> {
  for (let from = 0; from <= puzzle.maxnumber; from += AT_A_TIME) {
    const number = solveChallenge({ ...puzzle, maxnumber: Math.min(puzzle.maxnumber, from + AT_A_TIME - 1) }, from);
    if (number !== null) return solutionOf(puzzle, number);
    await new Promise((done) => window.setTimeout(done));
  }
  return null;
}
