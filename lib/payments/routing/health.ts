import { and, eq, lte, sql } from "drizzle-orm";
import { providers } from "@/db/schema/merchants";
import { type Context, inTransaction } from "@/lib/context";
import { log } from "@/lib/log";
import type { AttemptRow } from "@/lib/payments/attempts";
import type { RoutedProvider } from "@/lib/payments/routing/provider";
import { realNow } from "@/lib/time";

/**
 * The circuit of a provider. Calls in a row that provably never left open it: new payments go elsewhere. When its time is
 * over one new payment is sent to try (half-open), and what becomes of it closes the circuit or opens it again. Failures
 * are counted by each process; that it is open stands beside the provider, where every process reads it with the row.
 */
export type CircuitState = "closed" | "open" | "half_open";

/** Calls in a row that provably never left, after which a provider is left out for a moment. */
export const UNSENT_TO_OPEN = 5;
export const OPEN_SECONDS = 10;
const MOST_KEPT = 10_000;

/** Calls in a row that did not leave, of this process. */
const unsent = new Map<string, number>();

const UNREACHED: ReadonlySet<string> = new Set(["dns", "connect_refused", "connect_timeout", "tls", "circuit_open"]);

/** On real time, whatever the account's clock says. */
export function circuitOf({ circuitUntil }: { circuitUntil: Date | null }, at = realNow()): CircuitState {
  if (!circuitUntil) return "closed";
  return at < circuitUntil ? "open" : "half_open";
}

interface Called {
  kind: string;
  cause?: string;
}

/** What became of a call: an answer, even one that nobody understood, says that there is somebody. */
export async function reportCall(
  ctx: Context,
  { id, circuitUntil }: Pick<RoutedProvider, "id" | "circuitUntil">,
  outcome: Called,
): Promise<void> {
  if (outcome.kind !== "not_sent") {
    const before = unsent.get(id) ?? 0;
    unsent.delete(id);
    if (circuitUntil || before >= UNSENT_TO_OPEN) await kept(ctx, () => put(ctx, id, null));
    return;
  }
  if (!UNREACHED.has(outcome.cause ?? "")) return;
  const now = (unsent.get(id) ?? 0) + 1;
  if (unsent.size >= MOST_KEPT) unsent.clear();
  unsent.set(id, now);
  if (circuitUntil || now >= UNSENT_TO_OPEN) await kept(ctx, () => put(ctx, id, OPEN));
}

/** Calls that begin a payment; whatever follows one goes to the provider that has it, circuit or not. */
const BEGINNING: ReadonlySet<string> = new Set(["authorize", "pix", "boleto", "wallet"] satisfies AttemptRow["kind"][]);

/**
 * Of those that find a circuit half open one is let through. The others are told at once that it is open, where somebody
 * else is left to try: whoever has nobody else is tried, whatever the circuit says.
 */
export async function isCircuitClosed(
  ctx: Context,
  provider: Pick<RoutedProvider, "id" | "circuitUntil">,
  kind: AttemptRow["kind"],
  hasOther: boolean,
): Promise<boolean> {
  if (circuitOf(provider) !== "half_open" || !BEGINNING.has(kind)) return true;
  // Without a database nobody is kept from trying.
  const isLet = (await kept(ctx, () => takeProbe(ctx, provider.id))) ?? true;
  return isLet || !hasOther;
}

const OPEN = sql`now() + interval '${sql.raw(String(OPEN_SECONDS))} seconds'`;

const put = (ctx: Context, id: string, until: typeof OPEN | null) =>
  inTransaction(ctx, ({ db }) => db.update(providers).set({ circuitUntil: until }).where(eq(providers.id, id)));

async function takeProbe(ctx: Context, id: string): Promise<boolean> {
  return inTransaction(ctx, async ({ db }) => {
    const [taken] = await db
      .update(providers)
      .set({ circuitUntil: OPEN })
      .where(and(eq(providers.id, id), lte(providers.circuitUntil, sql`now()`)))
      .returning({ id: providers.id });
    if (taken) return true;
    const [row] = await db.select({ until: providers.circuitUntil }).from(providers).where(eq(providers.id, id));
    return !row?.until;
  });
}

/** What is known of a provider's circuit is worth no payment. */
async function kept<T>(ctx: Context, write: () => Promise<T>): Promise<T | undefined> {
  try {
    return await write();
  } catch (thrown) {
    log.warn({ requestId: ctx.requestId, clientId: ctx.account.id, error: String(thrown) }, "circuit not written");
    return undefined;
  }
}
