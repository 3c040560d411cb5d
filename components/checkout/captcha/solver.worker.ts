import { type Puzzle, solutionOf, solveChallenge } from "./solver";

/** Takes a challenge, answers its solution, or null when there is none. */
addEventListener("message", ({ data }: MessageEvent<Puzzle>) => {
  const number = solveChallenge(data);
  postMessage({ token: number === null ? null : solutionOf(data, number) });
});
