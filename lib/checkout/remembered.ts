import { createHmac, randomInt } from "node:crypto";
import { and, count, desc, eq, gt, isNotNull, isNull, lt } from "drizzle-orm";
import { systemSql } from "@/db/client";
import { deleteInBatches } from "@/db/delete-in-batches";
import { buyerCodes, rememberedBuyers } from "@/db/schema/remembered";
import type { Person, TypedAddress } from "@/lib/checkout/form";
import { linkUrlOf } from "@/lib/checkout/payment-token";
import { visitHash } from "@/lib/checkout/visit";
import { type Context, inTransaction, now } from "@/lib/context";
import type { Locale } from "@/lib/i18n/locales";
import { newId } from "@/lib/ids";
import { queueMail } from "@/lib/mail/queue";
import { serverSecret } from "@/lib/secrets";
import type { SessionRow } from "@/lib/sessions/state";
import { addSeconds, DAY_SECONDS, realNow } from "@/lib/time";

/** Buyers who agreed to be remembered in an account, and how they prove that they are who they say (by e-mail). */

const REMEMBERED_SECONDS = 365 * DAY_SECONDS;
/** A browser is known for so long after its code. */
const KNOWN_SECONDS = DAY_SECONDS;
const CODE_SECONDS = 600;
const CODE_DIGITS = 6;
const MOST_TRIES = 5;
/** Of one address. */
const CODES_PER_HOUR = 3;
const HOUR_SECONDS = 3_600;

export type RememberedBuyer = typeof rememberedBuyers.$inferSelect;

/** The buyer that this browser has proved to be. */
export async function rememberedBy(ctx: Context, visit: string): Promise<RememberedBuyer | undefined> {
  const [found] = await ctx.db
    .select({ buyer: rememberedBuyers })
    .from(buyerCodes)
    .innerJoin(rememberedBuyers, eq(rememberedBuyers.id, buyerCodes.buyerId))
    .where(
      and(
        eq(buyerCodes.clientId, ctx.account.id),
        eq(buyerCodes.visitHash, visitHash(visit)),
        isNotNull(buyerCodes.enteredAt),
        gt(buyerCodes.expiresAt, now(ctx)),
        gt(rememberedBuyers.expiresAt, now(ctx)),
      ),
    )
    .orderBy(desc(buyerCodes.sentAt))
    .limit(1);
  return found?.buyer;
}

interface Agreed {
  readonly visit: string;
  readonly person: Person;
  readonly address: TypedAddress | undefined;
}

/**
 * Keeps what a buyer agreed to, in the transaction of the payment. What is there already is changed only from a browser
 * that has proved whose it is: an address alone is anybody's to type.
 */
export async function remember(ctx: Context, { visit, person, address }: Agreed): Promise<void> {
  const at = now(ctx);
  const known = await rememberedBy(ctx, visit);
  const values = {
    name: person.name,
    documentType: person.document.type,
    documentNumber: person.document.number,
    ...(address ? { address: { ...address, complement: address.complement ?? null } } : {}),
    consentedAt: at,
    expiresAt: addSeconds(at, REMEMBERED_SECONDS),
    updatedAt: at,
  };
  const mayChange =
    known?.email === person.email ? eq(rememberedBuyers.id, known.id) : lt(rememberedBuyers.expiresAt, at);
  await ctx.db
    .insert(rememberedBuyers)
    .values({ id: newId(), clientId: ctx.account.id, email: person.email, ...values, createdAt: at })
    .onConflictDoUpdate({
      target: [rememberedBuyers.clientId, rememberedBuyers.email],
      set: values,
      setWhere: mayChange,
    });
}

const hashOf = (ctx: Context, visit: string, code: string): Buffer =>
  createHmac("sha256", serverSecret("buyer code")).update(`${ctx.account.id}:${visit}:${code}`).digest();

interface CodeAsked {
  readonly session: Pick<SessionRow, "id" | "merchantId">;
  readonly visit: string;
  readonly email: string;
  readonly locale: Locale;
}

/** Sends a code where that address is remembered. Answers nothing: who asks is told the same in every case. */
export const sendCode = (ctx: Context, { session, visit, email, locale }: CodeAsked): Promise<void> =>
  inTransaction(ctx, async (inside) => {
    const { db, account } = inside;
    const at = now(inside);
    const [buyer] = await db
      .select({ id: rememberedBuyers.id })
      .from(rememberedBuyers)
      .where(
        and(
          eq(rememberedBuyers.clientId, account.id),
          eq(rememberedBuyers.email, email),
          gt(rememberedBuyers.expiresAt, at),
        ),
      )
      .for("update");
    if (!buyer) return;
    const [sent] = await db
      .select({ codes: count() })
      .from(buyerCodes)
      .where(and(eq(buyerCodes.buyerId, buyer.id), gt(buyerCodes.sentAt, addSeconds(at, -HOUR_SECONDS))));
    if ((sent?.codes ?? 0) >= CODES_PER_HOUR) return;
    const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, "0");
    const id = newId();
    await db.insert(buyerCodes).values({
      id,
      clientId: account.id,
      buyerId: buyer.id,
      visitHash: visitHash(visit),
      codeHash: hashOf(inside, visit, code),
      sentAt: at,
      expiresAt: addSeconds(at, CODE_SECONDS),
    });
    await queueMail(inside, {
      template: "buyer-code",
      to: email,
      locale,
      merchantId: session.merchantId,
      dedupe: `buyer-code:${id}`,
      data: { code, minutes: CODE_SECONDS / 60, url: linkUrlOf(session.id) },
    });
  });

/** Whether the newest code of this browser was this one; each may be tried five times. */
export const enterCode = (ctx: Context, visit: string, code: string): Promise<boolean> =>
  inTransaction(ctx, async (inside) => {
    const { db, account } = inside;
    const at = now(inside);
    const [sent] = await db
      .select()
      .from(buyerCodes)
      .where(
        and(
          eq(buyerCodes.clientId, account.id),
          eq(buyerCodes.visitHash, visitHash(visit)),
          isNull(buyerCodes.enteredAt),
          gt(buyerCodes.expiresAt, at),
        ),
      )
      .orderBy(desc(buyerCodes.sentAt))
      .limit(1)
      .for("update");
    if (!sent || sent.tries >= MOST_TRIES) return false;
    const isRight = sent.codeHash.equals(hashOf(inside, visit, code.replace(/\D/g, "")));
    await db
      .update(buyerCodes)
      .set(isRight ? { enteredAt: at, expiresAt: addSeconds(at, KNOWN_SECONDS) } : { tries: sent.tries + 1 })
      .where(and(eq(buyerCodes.clientId, account.id), eq(buyerCodes.id, sent.id)));
    return isRight;
  });

/** All of it, and every browser that knew it; codes go with their buyer. */
export const forget = (ctx: Context, visit: string): Promise<void> =>
  inTransaction(ctx, async (inside) => {
    const known = await rememberedBy(inside, visit);
    if (!known) return;
    await inside.db
      .delete(rememberedBuyers)
      .where(and(eq(rememberedBuyers.clientId, inside.account.id), eq(rememberedBuyers.id, known.id)));
  });

/** Codes that count no more, and whoever was not seen for a year. */
export async function sweepRemembered(at: Date = realNow()): Promise<void> {
  const db = systemSql();
  await deleteInBatches(db, "buyer_codes", db`expires_at < ${addSeconds(at, -HOUR_SECONDS)}`);
  await deleteInBatches(db, "remembered_buyers", db`expires_at < ${at}`);
}
