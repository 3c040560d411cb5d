import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { isAlive, withFileLock } from "@/db/embedded/lock";
import type { Env } from "@/lib/env";
import { commandOf } from "@/scripts/start/port";

const claim = z.object({ pid: z.number(), port: z.number(), baseUrl: z.string(), checkoutUrl: z.string() });
type Addresses = Pick<Env, "PORT" | "BASE_URL" | "CHECKOUT_URL">;

/** One Trilho per data folder; answers what gives the folder back. */
export async function claimFolder(dataDir: string, { PORT, BASE_URL, CHECKOUT_URL }: Addresses): Promise<() => void> {
  // Others may enter: root hands the database inside to an account without rights. Secrets are files of mode 0600.
  mkdirSync(dataDir, { recursive: true, mode: 0o755 });
  const file = join(dataDir, "running.json");
  await withFileLock(`${file}.lock`, async () => {
    const other = read(file);
    if (other !== undefined && isTrilho(other.pid)) {
      throw new Error(
        `Trilho already runs with this data folder (process ${other.pid}, port ${other.port}). ` +
          `Stop it with "kill ${other.pid}", or start beside it with other PORT and TRILHO_DATA_DIR.`,
      );
    }
    writeFileSync(
      file,
      JSON.stringify({ pid: process.pid, port: PORT, baseUrl: BASE_URL, checkoutUrl: CHECKOUT_URL }),
      { mode: 0o600 },
    );
  });
  return () => rmSync(file, { force: true });
}

export type Claim = z.infer<typeof claim>;

/** Of the launcher that lives with this data folder. */
export function runningIn(dataDir: string): Claim | undefined {
  const running = read(join(dataDir, "running.json"));
  return running !== undefined && isTrilho(running.pid) ? running : undefined;
}

/** Commands beside a running installation write links that lead to it, whatever they were started with. */
export function adoptAddresses(dataDir: string): void {
  const running = runningIn(dataDir);
  if (running === undefined) return;
  const { port, baseUrl, checkoutUrl } = running;
  Object.assign(process.env, { PORT: String(port), BASE_URL: baseUrl, CHECKOUT_URL: checkoutUrl });
}

function read(file: string): Claim | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return claim.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return undefined;
  }
}

/** After a restart of the machine the number may belong to any program. */
function isTrilho(pid: number): boolean {
  if (pid === process.pid || !isAlive(pid)) return false;
  const command = commandOf(pid);
  return command === "" ? process.platform !== "linux" : command.includes("scripts/run.ts");
}
