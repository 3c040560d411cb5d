import { and, eq, inArray } from "drizzle-orm";
import { systemDb } from "@/db/client";
import { charges } from "@/db/schema/charges";
import { reviewTakes } from "@/db/schema/operators";
import { purchases } from "@/db/schema/purchases";
import { audit } from "@/lib/audit";
import { type Context, inTransaction } from "@/lib/context";
import { notFound } from "@/lib/errors";
import { namesOf } from "@/lib/operators/names";
import { demand } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { realNow } from "@/lib/time";

/** Who looks after something that waits. It keeps nobody from resolving it. */
export interface Take {
  operatorId: string;
  name: string | undefined;
  isOwn: boolean;
  at: Date;
}

type Payment = { kind: "charge" | "purchase"; id: string };

/** Whoever takes it has it, also when somebody else had it before. */
export function takePayment(ctx: Context, role: OperatorRole, id: string): Promise<void> {
  demand(role, "reviews.resolve", "purchase");
  return inTransaction(ctx, async (inside) => {
    const { db, account } = inside;
    const payment = await paymentOf(inside, id);
    const operatorId = personOf(inside);
    const before = await holderOf(inside, id);
    if (before === operatorId) return;
    const taken = { operatorId, takenAt: realNow() };
    await db
      .insert(reviewTakes)
      .values({ clientId: account.id, paymentId: id, ...taken })
      .onConflictDoUpdate({ target: [reviewTakes.clientId, reviewTakes.paymentId], set: taken });
    await audit(inside, {
      action: "review.take",
      object: payment.kind,
      objectId: id,
      ...(before ? { before: { operator: before } } : {}),
      after: { operator: operatorId },
    });
  });
}

/** One's own alone: another's is taken over, not thrown away. */
export function releasePayment(ctx: Context, role: OperatorRole, id: string): Promise<void> {
  demand(role, "reviews.resolve", "purchase");
  return inTransaction(ctx, async (inside) => {
    const payment = await paymentOf(inside, id);
    const operator = personOf(inside);
    const released = await inside.db
      .delete(reviewTakes)
      .where(and(isTake(inside, id), eq(reviewTakes.operatorId, operator)))
      .returning({ id: reviewTakes.paymentId });
    if (released.length > 0)
      await audit(inside, { action: "review.release", object: payment.kind, objectId: id, before: { operator } });
  });
}

export async function takesOf(ctx: Context, ids: readonly string[]): Promise<Map<string, Take>> {
  if (ids.length === 0) return new Map();
  const rows = await inTransaction(ctx, ({ db, account }) =>
    db
      .select()
      .from(reviewTakes)
      .where(and(eq(reviewTakes.clientId, account.id), inArray(reviewTakes.paymentId, [...ids]))),
  );
  const people = rows.map(({ operatorId }) => operatorId);
  const names = await namesOf(systemDb(), ctx.account.id, people);
  const self = ctx.principal.kind === "operator" ? ctx.principal.operatorId : undefined;
  return new Map(
    rows.map(({ paymentId, operatorId, takenAt }) => [
      paymentId,
      { operatorId, name: names.get(operatorId), isOwn: operatorId === self, at: takenAt },
    ]),
  );
}

const isTake = ({ account }: Context, id: string) =>
  and(eq(reviewTakes.clientId, account.id), eq(reviewTakes.paymentId, id));

async function holderOf(ctx: Context, id: string): Promise<string | undefined> {
  const [row] = await ctx.db.select({ by: reviewTakes.operatorId }).from(reviewTakes).where(isTake(ctx, id));
  return row?.by;
}

function personOf({ principal }: Context): string {
  if (principal.kind !== "operator") throw notFound("purchase");
  return principal.operatorId;
}

async function paymentOf({ db, account }: Context, id: string): Promise<Payment> {
  for (const [kind, table] of [
    ["purchase", purchases],
    ["charge", charges],
  ] as const) {
    const [row] = await db
      .select({ id: table.id })
      .from(table)
      .where(and(eq(table.clientId, account.id), eq(table.id, id)));
    if (row) return { kind, id };
  }
  throw notFound("purchase");
}
