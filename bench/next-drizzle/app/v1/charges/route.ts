import { createHash, randomUUID } from "node:crypto";
import { and, asc, eq, isNull } from "drizzle-orm";
import { z } from "zod";
import { authorize } from "../../../acquirer";
import { db } from "../../../db";
import {
  accounts,
  apiKeys,
  attempts,
  cardTokens,
  charges,
  events,
  idempotencyKeys,
  journals,
  merchants,
  outbox,
  postings,
  providers,
  receivables,
  requestLogs,
} from "../../../schema";
import { open } from "../../../seal";

const newCharge = z.object({
  merchantId: z.uuid(),
  amount: z.int().min(1),
  orderId: z.string().max(64).optional(),
  paymentMethod: z.object({ paymentType: z.literal("credit"), installments: z.int().min(1).max(24).default(1) }),
  paymentSource: z.object({ sourceType: z.literal("token"), tokenId: z.uuid() }),
  capture: z.boolean().default(true),
});

const sealedCard = z.object({ number: z.string(), holder: z.string(), date: z.string(), code: z.string() });

const DAYS_TO_MONEY = 30;
const DAY_MS = 86_400_000;

const digest = (text: string): string => createHash("sha256").update(text).digest("hex");
const refuse = (status: number, message: string): Response => Response.json({ error: { message } }, { status });

export async function POST(request: Request): Promise<Response> {
  const started = performance.now();
  const [caller] = await db
    .select({ accountId: accounts.id })
    .from(apiKeys)
    .innerJoin(accounts, eq(accounts.id, apiKeys.accountId))
    .where(and(eq(apiKeys.digest, digest(request.headers.get("x-api-key") ?? "")), isNull(apiKeys.revokedAt)));
  if (!caller) return refuse(401, "unauthorized");
  const { accountId } = caller;

  const text = await request.text();
  const parsed = newCharge.safeParse(JSON.parse(text));
  if (!parsed.success) return refuse(400, z.prettifyError(parsed.error));
  const body = parsed.data;

  const key = request.headers.get("x-idempotency-key") ?? randomUUID();
  const fingerprint = digest(text);
  const [claimed] = await db
    .insert(idempotencyKeys)
    .values({ accountId, key, fingerprint })
    .onConflictDoNothing()
    .returning({ id: idempotencyKeys.id });
  if (!claimed) {
    const [known] = await db
      .select()
      .from(idempotencyKeys)
      .where(and(eq(idempotencyKeys.accountId, accountId), eq(idempotencyKeys.key, key)));
    if (known?.fingerprint !== fingerprint) return refuse(422, "the key was used for another request");
    if (!known.status) return refuse(409, "still at work");
    return new Response(known.body, { status: known.status, headers: { "content-type": "application/json" } });
  }

  const [merchant] = await db
    .select()
    .from(merchants)
    .where(and(eq(merchants.id, body.merchantId), eq(merchants.accountId, accountId)));
  if (!merchant) return refuse(404, "merchant not found");
  const [provider] = await db
    .select()
    .from(providers)
    .where(eq(providers.merchantId, merchant.id))
    .orderBy(asc(providers.priority));
  if (!provider) return refuse(422, "no provider");
  const [token] = await db
    .update(cardTokens)
    .set({ usedAt: new Date() })
    .where(
      and(
        eq(cardTokens.id, body.paymentSource.tokenId),
        eq(cardTokens.accountId, accountId),
        isNull(cardTokens.usedAt),
      ),
    )
    .returning();
  if (!token) return refuse(404, "token not found");
  sealedCard.parse(JSON.parse(open(token.sealed)));

  const reference = randomUUID();
  const { charge, attempt } = await db.transaction(async (tx) => {
    const [charge] = await tx
      .insert(charges)
      .values({
        accountId,
        merchantId: merchant.id,
        tokenId: token.id,
        status: "pending",
        amount: body.amount,
        capture: body.capture,
        orderId: body.orderId,
        paymentMethod: body.paymentMethod,
      })
      .returning();
    if (!charge) throw new Error("no row came back");
    const [attempt] = await tx
      .insert(attempts)
      .values({
        chargeId: charge.id,
        providerId: provider.id,
        kind: "authorize",
        state: "sent",
        reference,
        amount: body.amount,
      })
      .returning();
    if (!attempt) throw new Error("no row came back");
    await tx.insert(events).values({ accountId, chargeId: charge.id, type: "transaction.pending", data: charge });
    return { charge, attempt };
  });

  const authorization = await authorize(reference, body.amount, body.capture);

  const answer = await db.transaction(async (tx) => {
    await tx
      .update(attempts)
      .set({
        state: "approved",
        authorizationCode: authorization.authorizationCode,
        raw: authorization,
        updatedAt: new Date(),
      })
      .where(eq(attempts.id, attempt.id));
    const [paid] = await tx
      .update(charges)
      .set({
        status: body.capture ? "authorized" : "pre_authorized",
        capturedAmount: body.capture ? body.amount : 0,
        providerId: provider.id,
        providerTransactionId: authorization.transactionId,
        updatedAt: new Date(),
      })
      .where(and(eq(charges.id, charge.id), eq(charges.status, "pending")))
      .returning();
    if (!paid) throw new Error("the charge has moved");
    const [journal] = await tx
      .insert(journals)
      .values({ accountId, chargeId: charge.id, eventType: body.capture ? "capture" : "hold", evidence: attempt.id })
      .returning({ id: journals.id });
    if (!journal) throw new Error("no row came back");
    await tx.insert(postings).values([
      { journalId: journal.id, ledgerAccount: `${merchant.id}:receivable`, amount: body.amount },
      { journalId: journal.id, ledgerAccount: `${merchant.id}:pending`, amount: -body.amount },
    ]);
    const { installments } = body.paymentMethod;
    const share = Math.floor(body.amount / installments);
    await tx.insert(receivables).values(
      Array.from({ length: installments }, (_, index) => ({
        merchantId: merchant.id,
        chargeId: charge.id,
        installment: index + 1,
        amount: index === 0 ? body.amount - share * (installments - 1) : share,
        paymentDate: new Date(Date.now() + (index + 1) * DAYS_TO_MONEY * DAY_MS).toISOString().slice(0, 10),
      })),
    );
    const sent = JSON.stringify({ ...paid, attempts: [{ ...attempt, state: "approved" }] });
    await tx
      .insert(events)
      .values({ accountId, chargeId: charge.id, type: "transaction.authorized", data: JSON.parse(sent) });
    await tx.insert(outbox).values({ name: "charge/paid", data: { chargeId: charge.id } });
    await tx.update(idempotencyKeys).set({ status: 201, body: sent }).where(eq(idempotencyKeys.id, claimed.id));
    return sent;
  });
  await db.insert(requestLogs).values({
    accountId,
    method: "POST",
    path: "/v1/charges",
    status: 201,
    durationMs: Math.round(performance.now() - started),
  });
  return new Response(answer, { status: 201, headers: { "content-type": "application/json" } });
}
