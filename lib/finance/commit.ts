import { and, desc, eq, gte } from "drizzle-orm";
import { auditLog } from "@/db/schema/accounts";
import { prepayments } from "@/db/schema/prepayments";
import { audit, operatorIn } from "@/lib/audit";
import { type Context, inTransaction, now } from "@/lib/context";
import { notFound } from "@/lib/errors";
import { isUuid } from "@/lib/ids";
import { PREPAY_ALONE_UP_TO, PROPOSAL_SECONDS, secondPersonAbove } from "@/lib/operators/second-person";
import { commitPlanned } from "@/lib/prepayments/plan";
import type { PrepaymentRow } from "@/lib/prepayments/queries";
import { refuseUnlessOpen } from "@/lib/prepayments/service";
import { addSeconds, realNow } from "@/lib/time";

const PROPOSED = "prepayment.propose";

const operatorOf = ({ principal }: Context): string => {
  if (principal.kind !== "operator") throw new Error("a prepayment is confirmed here by people");
  return principal.operatorId;
};

/** Who asked for it; a simulation never changes, so one that stands is asked for as it is. */
export const proposerOf = (ctx: Context, id: string): Promise<string | undefined> =>
  inTransaction(ctx, async ({ db, account }) => {
    const [row] = await db
      .select({ by: auditLog.actor })
      .from(auditLog)
      .where(
        and(
          eq(auditLog.clientId, account.id),
          eq(auditLog.action, PROPOSED),
          eq(auditLog.objectId, id),
          gte(auditLog.at, addSeconds(realNow(), -PROPOSAL_SECONDS)),
        ),
      )
      .orderBy(desc(auditLog.at), desc(auditLog.id))
      .limit(1);
    return row && operatorIn(row.by);
  });

/** Whether a second person must agree to so much; nobody else's agreement is waited for while there is nobody. */
export const needsTwo = async (ctx: Context, { grossAmount, merchantId }: PrepaymentRow): Promise<boolean> => {
  if (grossAmount <= PREPAY_ALONE_UP_TO) return false;
  return (await secondPersonAbove(ctx, "prepayment.commit", PREPAY_ALONE_UP_TO, merchantId ?? undefined)) !== null;
};

/** What is paid early is confirmed by one person up to a limit; above it the first asks and another one confirms. */
export const confirmPrepayment = (ctx: Context, id: string): Promise<"proposed" | "committed"> =>
  inTransaction(ctx, async (inside) => {
    const { db, account } = inside;
    const [row] = isUuid(id)
      ? await db
          .select()
          .from(prepayments)
          .where(and(eq(prepayments.clientId, account.id), eq(prepayments.id, id)))
          .for("update")
      : [];
    if (!row) throw notFound("prepayment");
    // Nobody is asked to agree to what nobody can confirm any more.
    refuseUnlessOpen(row, now(inside));
    const { grossAmount, netAmount } = row;
    const after = { grossAmount, netAmount };
    const first = await proposerOf(inside, id);
    const me = operatorOf(inside);
    if ((await needsTwo(inside, row)) && (first === undefined || first === me)) {
      if (first === undefined) await audit(inside, { action: PROPOSED, object: "prepayment", objectId: id, after });
      return "proposed";
    }
    await commitPlanned(inside, id);
    const of = first === undefined || first === me ? inside : { ...inside, secondPerson: first };
    await audit(of, { action: "prepayment.commit", object: "prepayment", objectId: id, after });
    return "committed";
  });
