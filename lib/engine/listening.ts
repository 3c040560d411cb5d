import { pause } from "@/lib/wait";

const PATIENCE_MS = 500;

/** Ends a subscription of the driver. While the database is away it would wait for it; the connection ends anyway. */
export async function stopListening(listening: { unlisten(): Promise<void> }): Promise<void> {
  await Promise.race([listening.unlisten().catch(() => undefined), pause(PATIENCE_MS)]);
}
