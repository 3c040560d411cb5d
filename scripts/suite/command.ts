import { spawn } from "node:child_process";
import { ROOT } from "@/scripts/start/paths";

export interface Outcome {
  readonly code: number;
  readonly output: string;
}

/** Runs one of the project's programs; its output is kept, and shown as it comes when `isLoud`. */
export function run(
  program: string,
  args: string[],
  environment: Readonly<Record<string, string>> = {},
  isLoud = false,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: ROOT,
      env: { ...process.env, FORCE_COLOR: process.stdout.isTTY ? "1" : "0", ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString();
        if (isLoud) process.stdout.write(chunk);
      });
    }
    child.once("error", (error) => resolve({ code: 1, output: error.message }));
    child.once("close", (code) => resolve({ code: code ?? 1, output }));
  });
}

export const runNode = (
  args: string[],
  environment?: Readonly<Record<string, string>>,
  isLoud?: boolean,
): Promise<Outcome> => run(process.execPath, args, environment, isLoud);
