import { and, count, desc, eq, gt, inArray, sql } from "drizzle-orm";
import { publicKeys } from "@/db/schema/accounts";
import { webhookDeliveries } from "@/db/schema/webhooks";
import { listSecretKeys, type SecretKey } from "@/lib/accounts/secret-keys";
import type { Context } from "@/lib/context";
import type { Finding } from "@/lib/going-live/check";
import { liveKeyOf } from "@/lib/public-keys/queries";
import { addSeconds, DAY_SECONDS, realNow } from "@/lib/time";
import { listWebhooks, type WebhookRow } from "@/lib/webhooks/queries";

const ALL = { page: 1, limit: 100, order: "desc" } as const;

/** Public keys that are named, by their first characters. */
const MOST_NAMED = 5;
const HINT_CHARACTERS = 8;

/** Longer than this a key that nobody calls with is forgotten rather than rested. */
export const IDLE_SECONDS = 90 * DAY_SECONDS;
/** Older ones are rotated. */
export const OLDEST_KEY_SECONDS = 365 * DAY_SECONDS;

const nameOf = ({ name, hint }: SecretKey): string => name ?? hint;

export async function secretKeysOf(ctx: Context): Promise<{ scoped: Finding; inUse: Finding; isCalled: boolean }> {
  const keys = (await listSecretKeys(ctx)).filter(({ expiresAt }) => expiresAt === null);
  const isCalled = keys.some(({ lastUsedAt }) => lastUsedAt !== null);
  if (keys.length === 0) {
    const none: Finding = { state: "none", detail: "keysNone" };
    return { scoped: none, inUse: none, isCalled };
  }
  const wide = keys.filter(({ rights }) => rights === null).map(nameOf);
  const idle = keys.filter(isIdle).map(nameOf);
  const all = keys.length;
  return {
    isCalled,
    scoped:
      wide.length > 0
        ? { state: "todo", detail: "keysUnscoped", count: wide.length, names: wide }
        : { state: "done", detail: "keysAllScoped", count: all },
    inUse:
      idle.length > 0
        ? { state: "todo", detail: "keysIdle", count: idle.length, names: idle }
        : { state: "done", detail: "keysAllInUse", count: all },
  };
}

/** Keys live on real time. One that was never called with has as long as any other. */
function isIdle({ createdAt, lastUsedAt }: SecretKey): boolean {
  const now = realNow();
  return createdAt < addSeconds(now, -OLDEST_KEY_SECONDS) || (lastUsedAt ?? createdAt) < addSeconds(now, -IDLE_SECONDS);
}

/** Asked of the database: pages mint keys by the thousand. */
export async function publicKeysOf(ctx: Context): Promise<Finding> {
  const isWide = sql`'*' = any(${publicKeys.scope})`;
  const [counted] = await ctx.db
    .select({ all: count(), wide: sql`count(*) filter (where ${isWide})`.mapWith(Number) })
    .from(publicKeys)
    .where(liveKeyOf(ctx));
  if (!counted || counted.all === 0) return { state: "none", detail: "publicNone" };
  if (counted.wide === 0) return { state: "done", detail: "publicNarrow", count: counted.all };
  const wide = await ctx.db
    .select({ key: publicKeys.publicKey })
    .from(publicKeys)
    .where(and(liveKeyOf(ctx), isWide))
    .orderBy(desc(publicKeys.createdAt))
    .limit(MOST_NAMED);
  const names = wide.map(({ key }) => `${key.slice(0, HINT_CHARACTERS)}…`);
  return { state: "todo", detail: "publicWide", count: counted.wide, names };
}

/** Who never calls the API has no system that could be told. */
export async function webhooksOf(ctx: Context, isCalled: boolean): Promise<Finding> {
  const active = (await listWebhooks(ctx, ALL)).items.filter(({ status }) => status);
  if (active.length === 0)
    return isCalled ? { state: "todo", detail: "webhooksNone" } : { state: "none", detail: "webhooksNotNeeded" };
  const plain = active.filter(({ address }) => !address.startsWith("https:"));
  if (plain.length > 0) return { state: "todo", detail: "webhooksPlain", names: endpointsOf(plain) };
  const last = await lastAttempts(ctx, active);
  const failing = active.filter(({ id }) => last.has(id) && last.get(id) !== "delivered");
  if (failing.length > 0) return { state: "todo", detail: "webhooksFailing", names: endpointsOf(failing) };
  const untried = active.filter(({ id }) => !last.has(id));
  if (untried.length > 0) return { state: "todo", detail: "webhooksUntried", names: endpointsOf(untried) };
  return { state: "done", detail: "webhooksDelivered", count: active.length };
}

const endpointsOf = (rows: readonly WebhookRow[]): string[] => rows.map(({ endpoint }) => endpoint);

/** How the newest delivery stands that was sent at all, by webhook. */
async function lastAttempts({ db, account }: Context, rows: readonly WebhookRow[]): Promise<Map<string, string>> {
  const found = await db
    .selectDistinctOn([webhookDeliveries.webhookId], {
      id: webhookDeliveries.webhookId,
      status: webhookDeliveries.status,
    })
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.clientId, account.id),
        inArray(
          webhookDeliveries.webhookId,
          rows.map(({ id }) => id),
        ),
        gt(webhookDeliveries.attempts, 0),
      ),
    )
    .orderBy(webhookDeliveries.webhookId, desc(webhookDeliveries.createdAt), desc(webhookDeliveries.id));
  return new Map(found.map(({ id, status }) => [id, status]));
}
