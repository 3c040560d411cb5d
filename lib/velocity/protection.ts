import { eq } from "drizzle-orm";
import { cardProtection } from "@/db/schema/captcha";
import { audit } from "@/lib/audit";
import { type Context, inTransaction } from "@/lib/context";
import { invalid } from "@/lib/errors";
import { realNow } from "@/lib/time";
import { ADJUSTABLE, LIMIT_NAMES, type Limits, limitsWith, type StricterLimits } from "@/lib/velocity/limits";

export interface Protection {
  /** Whether the limits act. On sandbox accounts they only count until switched on: test cards lock nobody out. */
  isOn: boolean;
  /** As this account has them. */
  limits: Limits;
  /** Those of them that it made stricter. */
  stricter: StricterLimits;
}

export const protectionOf = (ctx: Context): Promise<Protection> =>
  inTransaction(ctx, async ({ db, account }) => {
    const [row] = await db.select().from(cardProtection).where(eq(cardProtection.clientId, account.id));
    const stricter = row?.limits ?? {};
    return { isOn: account.mode === "live" || (row?.isOn ?? false), limits: limitsWith(stricter), stricter };
  });

export const isProtected = async (ctx: Context): Promise<boolean> => (await protectionOf(ctx)).isOn;

/** Sandbox accounts only: a live account's protection is never off. */
export async function setProtection(ctx: Context, isOn: boolean): Promise<void> {
  if (ctx.account.mode === "live") throw new Error("the limits of a live account always act");
  await inTransaction(ctx, async (inside) => {
    const before = await protectionOf(inside);
    await write(inside, { isOn });
    await audit(inside, {
      action: "card_testing.protection",
      object: "account",
      objectId: inside.account.id,
      before: { isOn: before.isOn },
      after: { isOn },
    });
  });
}

/** The numbers of this account; those left out are the product's own, and none may be looser than it. */
export async function setLimits(ctx: Context, given: StricterLimits): Promise<void> {
  const wrong = LIMIT_NAMES.filter((name) => {
    const value = given[name];
    return value !== undefined && !(Number.isSafeInteger(value) && value >= 1 && value <= ADJUSTABLE[name]);
  });
  if (wrong.length > 0) throw invalid(...wrong.map((name) => `${name}: must be from 1 to ${ADJUSTABLE[name]}`));
  const limits = Object.fromEntries(
    LIMIT_NAMES.flatMap((name) => {
      const value = given[name];
      return value === undefined || value === ADJUSTABLE[name] ? [] : [[name, value]];
    }),
  );
  await inTransaction(ctx, async (inside) => {
    const before = await protectionOf(inside);
    await write(inside, { isOn: before.isOn, limits });
    await audit(inside, {
      action: "card_testing.limits",
      object: "account",
      objectId: inside.account.id,
      before: before.stricter,
      after: limits,
    });
  });
}

async function write({ db, account }: Context, set: { isOn: boolean; limits?: Record<string, number> }): Promise<void> {
  const values = { ...set, updatedAt: realNow() };
  await db
    .insert(cardProtection)
    .values({ clientId: account.id, ...values })
    .onConflictDoUpdate({ target: cardProtection.clientId, set: values });
}
