import { and, asc, eq, isNull } from "drizzle-orm";
import { sellerCalls, sellerDocuments, sellerRegistrations, sellers } from "@/db/schema/sellers";
import { type Context, inTransaction, now } from "@/lib/context";
import { schedule, unschedule } from "@/lib/due-jobs/schedule";
import { log } from "@/lib/log";
import { recipientCall } from "@/lib/payments/recipient-call";
import { providerById, type RoutedProvider } from "@/lib/payments/routing/provider";
import type { Outcome } from "@/lib/providers/provider";
import type { RecipientCall, RecipientProvider, RecipientState } from "@/lib/providers/recipients";
import { providerFor } from "@/lib/providers/registry";
import { answerLeft } from "@/lib/sellers/answer";
import { contentOf } from "@/lib/sellers/document-content";
import { type SellerNews, takeNews } from "@/lib/sellers/news";
import type { RegistrationRow, SellerRow } from "@/lib/sellers/queries";
import { recipientInput } from "@/lib/sellers/recipient";
import { type CallRow, planCall } from "@/lib/sellers/register";
import { addSeconds, DAY_SECONDS } from "@/lib/time";
import { pause } from "@/lib/wait";

/** Longer than the longest call: whoever planned it is gone, and what became of it is asked. */
const HELD_UP_SECONDS = 30;
const QUERY_DELAYS_SECONDS = [5, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600] as const;
/** Of live accounts: a provider may change its mind without telling. */
const LOOK_AGAIN_SECONDS = DAY_SECONDS;
/** Calls and questions of one turn; what is left has its turn later. */
const MOST_STEPS = 20;

interface Case {
  registration: RegistrationRow;
  seller: SellerRow;
  provider: RoutedProvider;
  recipients: RecipientProvider;
  /** The oldest that is not over. */
  call: CallRow | undefined;
}

/** Asks providers until they have answered or the time is over; what is unknown then is asked about later. */
export async function workedOn(ctx: Context, registrationIds: readonly string[], mostMs: number): Promise<void> {
  const over = new AbortController();
  const done = Promise.allSettled(registrationIds.map((id) => workOn(ctx, id))).then((settled) => {
    for (const one of settled) {
      if (one.status === "rejected") log.error({ error: one.reason }, "A registration could not be worked on");
    }
  });
  await Promise.race([done, pause(mostMs, over.signal).catch(() => undefined)]);
  over.abort();
}

/** The job of a registration: sends what waits, asks about what is unknown, and hears what is new. */
export async function workOn(ctx: Context, registrationId: string): Promise<void> {
  for (let step = 0; step < MOST_STEPS; step++) {
    const found = await inTransaction(ctx, (inside) => caseOf(inside, registrationId));
    if (!found) return;
    const next = found.call ? await advance(ctx, found, found.call) : await hear(ctx, found);
    if (next === "again") continue;
    await inTransaction(ctx, async (inside) => {
      const left = await answerLeft(inside, found.seller.id);
      const soonest = left && (!next || left < next) ? left : next;
      if (soonest) await schedule(inside, "registration.query", registrationId, soonest);
      else await unschedule(inside, "registration.query", registrationId);
    });
    return;
  }
  await inTransaction(ctx, (inside) => schedule(inside, "registration.query", registrationId, now(inside)));
}

/** When to look again; `again` at once, undefined never by itself. */
type Next = Date | "again" | undefined;

async function caseOf(ctx: Context, registrationId: string): Promise<Case | undefined> {
  const [found] = await ctx.db
    .select({ registration: sellerRegistrations, seller: sellers })
    .from(sellerRegistrations)
    .innerJoin(sellers, eq(sellers.id, sellerRegistrations.sellerId))
    .where(
      and(
        eq(sellerRegistrations.clientId, ctx.account.id),
        eq(sellerRegistrations.id, registrationId),
        isNull(sellers.deletedAt),
      ),
    );
  if (!found) return undefined;
  const calls = await ctx.db
    .select()
    .from(sellerCalls)
    .where(and(eq(sellerCalls.clientId, ctx.account.id), eq(sellerCalls.registrationId, registrationId)))
    .orderBy(asc(sellerCalls.createdAt), asc(sellerCalls.id));
  const provider = await providerById(ctx, found.registration.providerId);
  const { recipients } = providerFor(provider.kind);
  if (!recipients) throw new Error(`${provider.kind} takes no sellers`);
  const call = calls.find(({ state }) => state === "planned" || state === "undetermined");
  return { ...found, provider, recipients, call };
}

async function advance(ctx: Context, found: Case, call: CallRow): Promise<Next> {
  if (call.call !== "register" && found.registration.externalId === null) {
    await inTransaction(ctx, (inside) => settle(inside, call, "not_sent", "the seller is not registered"));
    return "again";
  }
  if (call.sentAt === null) return send(ctx, found, call);
  const heldUpUntil = addSeconds(call.sentAt, HELD_UP_SECONDS);
  if (call.state === "planned" && heldUpUntil > now(ctx)) return heldUpUntil;
  return call.call === "register" ? askAbout(ctx, found, call) : send(ctx, found, call);
}

/** One call, its row committed and claimed before; a change or a document is repeated under its own key. */
async function send(ctx: Context, found: Case, call: CallRow): Promise<Next> {
  const isClaimed = await inTransaction(ctx, (inside) => claim(inside, call));
  if (!isClaimed) return addSeconds(now(ctx), HELD_UP_SECONDS);
  const { outcome, state } = await sent(ctx, found, call);
  switch (outcome.kind) {
    case "approved":
      await inTransaction(ctx, async (inside) => {
        await settle(inside, call, "approved", state?.externalStatus ?? null);
        await takeNews(inside, found.registration, state ?? {});
      });
      return "again";
    case "declined":
    case "rejected": {
      const words = outcome.kind === "declined" ? (outcome.reason ?? outcome.declinedCode) : outcome.detail;
      await inTransaction(ctx, async (inside) => {
        await settle(inside, call, "declined", words);
        await refusedBy(inside, found, call, words);
      });
      return "again";
    }
    case "not_sent":
      await inTransaction(ctx, (inside) => release(inside, call));
      return later(ctx, found);
    default:
      await inTransaction(ctx, (inside) => settle(inside, call, "undetermined", null));
      return later(ctx, found);
  }
}

/** A registration that is refused is refused; a change that is refused leaves the old data there. */
async function refusedBy(ctx: Context, { registration }: Case, call: CallRow, words: string): Promise<void> {
  if (call.call === "register") {
    return takeNews(ctx, registration, { status: "refused", externalStatus: "refused", reason: words });
  }
  await ctx.db
    .update(sellerRegistrations)
    .set({ externalStatusReason: words, updatedAt: now(ctx) })
    .where(eq(sellerRegistrations.id, registration.id));
}

interface Sent {
  outcome: Outcome<unknown>;
  /** What the provider said of the seller with it. */
  state: SellerNews | undefined;
}

async function sent(ctx: Context, found: Case, call: CallRow): Promise<Sent> {
  const { recipients, seller, registration } = found;
  const context = callContext(ctx, found, call);
  const externalId = registration.externalId ?? "";
  if (call.call === "document") {
    const file = await inTransaction(ctx, (inside) => contentOf(inside, call.documentId ?? ""));
    if (!file)
      return { outcome: { kind: "rejected", problem: "not_found", detail: "the document is gone" }, state: undefined };
    const outcome = await recipients.sendDocument(context, { externalId, ...file });
    if (outcome.kind === "approved") await inTransaction(ctx, (inside) => markSent(inside, call.documentId ?? ""));
    return { outcome, state: undefined };
  }
  const input = recipientInput(seller);
  const outcome: Outcome<RecipientState & { externalId?: string }> =
    call.call === "register"
      ? await recipients.register(context, input)
      : await recipients.update(context, { ...input, externalId });
  return { outcome, state: outcome.kind === "approved" ? outcome.data : undefined };
}

const markSent = (ctx: Context, documentId: string) =>
  ctx.db
    .update(sellerDocuments)
    .set({ status: "sent", updatedAt: now(ctx) })
    .where(and(eq(sellerDocuments.clientId, ctx.account.id), eq(sellerDocuments.id, documentId)));

/** What became of a registration without an answer: found it is ours, certainly unknown it is made anew. */
async function askAbout(ctx: Context, found: Case, call: CallRow): Promise<Next> {
  const sentUntil = call.sentAt ?? now(ctx);
  const answer = await found.recipients.queryRecipient(callContext(ctx, found, call), {
    reference: found.registration.id,
    sentUntil,
  });
  switch (answer.kind) {
    case "found":
      await inTransaction(ctx, async (inside) => {
        await settle(inside, call, "approved", answer.externalStatus);
        await takeNews(inside, found.registration, answer);
      });
      return "again";
    case "not_found_definitive":
      await inTransaction(ctx, async (inside) => {
        await settle(inside, call, "not_sent", null);
        await planCall(inside, found.registration.id, { call: "register" });
      });
      return "again";
    default:
      return later(ctx, found);
  }
}

/** Nothing of ours is open: what is new at the provider. */
async function hear(ctx: Context, found: Case): Promise<Next> {
  const { registration, recipients } = found;
  const { externalId } = registration;
  if (externalId === null) return undefined;
  const answer = await recipients.queryRecipient(callContext(ctx, found, undefined), {
    externalId,
    reference: registration.id,
    sentUntil: now(ctx),
  });
  if (answer.kind !== "found") return later(ctx, found);
  await inTransaction(ctx, async (inside) => {
    await takeNews(inside, registration, answer);
    await inside.db.update(sellerRegistrations).set({ queries: 0 }).where(eq(sellerRegistrations.id, registration.id));
  });
  if (answer.nextEventAt) return new Date(answer.nextEventAt);
  const isWaiting = answer.status === "pending" || answer.reviews.some(({ status }) => status === "submitted");
  if (isWaiting) return later(ctx, found);
  return ctx.account.mode === "live" ? addSeconds(now(ctx), LOOK_AGAIN_SECONDS) : undefined;
}

async function later(ctx: Context, { registration }: Case): Promise<Date> {
  const queries = registration.queries + 1;
  await inTransaction(ctx, (inside) =>
    inside.db.update(sellerRegistrations).set({ queries }).where(eq(sellerRegistrations.id, registration.id)),
  );
  const delay = QUERY_DELAYS_SECONDS[Math.min(queries, QUERY_DELAYS_SECONDS.length) - 1] ?? DAY_SECONDS;
  return addSeconds(now(ctx), delay);
}

const callContext = (
  ctx: Context,
  { provider, registration, seller }: Case,
  call: CallRow | undefined,
): RecipientCall =>
  recipientCall(
    ctx,
    provider,
    {
      attemptId: call?.id ?? registration.id,
      reference: registration.id,
      idempotencyKey: call?.id ?? registration.id,
      operation: call?.call ?? "register",
    },
    { merchantId: seller.merchantId },
  );

/** Only one sender gets it. A repeated one is claimed anew. */
async function claim(ctx: Context, call: CallRow): Promise<boolean> {
  const claimed = await ctx.db
    .update(sellerCalls)
    .set({ sentAt: now(ctx), state: "planned", updatedAt: now(ctx) })
    .where(
      and(
        eq(sellerCalls.id, call.id),
        eq(sellerCalls.state, call.state),
        call.sentAt === null ? isNull(sellerCalls.sentAt) : eq(sellerCalls.sentAt, call.sentAt),
      ),
    )
    .returning({ id: sellerCalls.id });
  return claimed.length > 0;
}

const release = (ctx: Context, call: CallRow) =>
  ctx.db
    .update(sellerCalls)
    .set({ sentAt: null, state: "planned", updatedAt: now(ctx) })
    .where(eq(sellerCalls.id, call.id));

const settle = (ctx: Context, call: CallRow, state: CallRow["state"], answer: string | null) =>
  ctx.db
    .update(sellerCalls)
    .set({ state, answer, updatedAt: now(ctx) })
    .where(eq(sellerCalls.id, call.id));
