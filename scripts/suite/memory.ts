import { createHash } from "node:crypto";
import { rmSync, statfsSync } from "node:fs";
import { freemem } from "node:os";
import { join } from "node:path";
import { ROOT } from "@/scripts/start/paths";

/** Linux keeps its files in memory. */
const IN_MEMORY = "/dev/shm";
/** Databases of the files that run, templates, and as much of the log as the server keeps; three times what was seen. */
const ENOUGH_BYTES = 6 * 1024 ** 3;

/**
 * Runs with a folder for the tests' database server in memory, where there is room for it, and clears it away. A file's
 * database is a thousand small files: on a disk they take a second of a core, in memory 25 ms.
 */
export async function withCluster<T>(work: (environment: Record<string, string>) => Promise<T>): Promise<T> {
  if (!hasRoom()) return work({});
  const folder = join(IN_MEMORY, `trilho-test-${createHash("sha256").update(ROOT).digest("hex").slice(0, 12)}`);
  try {
    return await work({ TEST_CLUSTER: join(folder, "postgres") });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return Math.min(bavail * bsize, freemem()) >= ENOUGH_BYTES;
  } catch {
    return false;
  }
}
