import type { SyncHook } from "@/db/migrate";
import { MACHINES, syncTransitions } from "@/lib/machines/transitions";

/** What is written to the database from the code after every migration. */
export const SYNC_HOOKS: readonly SyncHook[] = [
  {
    name: "legal transitions",
    fingerprint: JSON.stringify(MACHINES.map(({ name, rows }) => [name, rows])),
    run: syncTransitions,
  },
];
