import postgres from "postgres";
import { closePools } from "@/db/client";
import type { Env } from "@/lib/env";
import { step } from "@/scripts/start/progress";

/** Several processes may start on one empty database. */
const SEED_LOCK = 4_782_002;

/** Gives an empty installation one sandbox account to begin with, once. */
export async function seed(url: string, settings: Env): Promise<void> {
  // Guarantee: `role` is a server setting that PostgreSQL takes at start-up; the driver's type lists only some.
  const connection = { application_name: "trilho-seed", role: "trilho_system" } as { application_name: string };
  const sql = postgres(url, { max: 1, onnotice: () => {}, connection });
  try {
    await sql`select pg_advisory_lock(${SEED_LOCK})`;
    // An operator is the last thing the first account gets; an account of another name was made by somebody.
    const [begun] = await sql`
      select 1 where exists (select from operators) or exists (select from clients where name <> 'Demo')`;
    if (begun) return;
    await step("a sandbox account to begin with", async () => {
      const { createFirstAccount } = await import("@/scripts/seed/first-account");
      await createFirstAccount(settings);
    });
  } finally {
    await closePools();
    await sql.end({ timeout: 5 });
  }
}
