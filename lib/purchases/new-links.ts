import { and, desc, eq, inArray } from "drizzle-orm";
import { auditLog } from "@/db/schema/accounts";
import { sessions } from "@/db/schema/sessions";
import { audit } from "@/lib/audit";
import { type Act, actOf, paymentOverview } from "@/lib/charges/overview";
import { type Context, inTransaction } from "@/lib/context";
import { isUuid } from "@/lib/ids";
import type { OperatorRole } from "@/lib/operators/sessions";
import { purchaseOverview } from "@/lib/purchases/overview";
import { soldBy, unlessMissing } from "@/lib/purchases/sold-by";
import type { SessionRow } from "@/lib/sessions/state";

const ACTIONS = ["charge.new_link", "purchase.new_link"] as const;
const MOST_SHOWN = 5;

/** A link made in place of a payment that was declined, in the transaction that makes it. */
export async function noteNewLink(ctx: Context, paymentId: string, sessionId: string): Promise<void> {
  const { object, id } = await soldBy(ctx, paymentId);
  await audit(ctx, { action: `${object}.new_link`, object, objectId: id, after: { session: sessionId } });
}

export interface NewLink {
  act: Act;
  session: SessionRow;
}

/** Those made in place of a payment, newest first. */
export const newLinksFor = (ctx: Context, paymentId: string): Promise<NewLink[]> =>
  inTransaction(ctx, async ({ db, account }) => {
    const rows = await db
      .select()
      .from(auditLog)
      .where(
        and(
          eq(auditLog.clientId, account.id),
          eq(auditLog.objectId, paymentId),
          inArray(auditLog.action, [...ACTIONS]),
        ),
      )
      .orderBy(desc(auditLog.at), desc(auditLog.id))
      .limit(MOST_SHOWN);
    const made = rows.flatMap((row) => {
      const id = sessionIn(row.after);
      return id ? [{ act: actOf(row), id }] : [];
    });
    if (made.length === 0) return [];
    const links = await db
      .select()
      .from(sessions)
      .where(
        and(
          eq(sessions.clientId, account.id),
          inArray(
            sessions.id,
            made.map(({ id }) => id),
          ),
        ),
      );
    return made.flatMap(({ act, id }) => {
      const session = links.find((each) => each.id === id);
      return session ? [{ act, session }] : [];
    });
  });

function sessionIn(after: unknown): string | undefined {
  const id = typeof after === "object" && after !== null && "session" in after ? after.session : undefined;
  return typeof id === "string" && isUuid(id) ? id : undefined;
}

/** The address to write to about a payment, for who may see it whole. */
export async function emailOfPayment(ctx: Context, role: OperatorRole, id: string): Promise<string | undefined> {
  const charge = await unlessMissing(paymentOverview(ctx, role, id));
  if (charge) return whole([charge.buyer, charge.payer]);
  const purchase = await unlessMissing(purchaseOverview(ctx, role, id));
  return purchase && whole([purchase.buyer, ...purchase.lanes.map(({ payment }) => payment?.payer)]);
}

type Addressed = { email: string | undefined; isMasked: boolean } | undefined;

const whole = (people: readonly Addressed[]): string | undefined =>
  people.find((person) => person?.email && !person.isMasked)?.email;
