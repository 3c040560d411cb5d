import { and, eq, inArray, isNotNull } from "drizzle-orm";
import { z } from "zod";
import { paymentBuyers } from "@/db/schema/captcha";
import { charges } from "@/db/schema/charges";
import { checkoutAttempts } from "@/db/schema/checkout";
import { buyerHash } from "@/lib/buyer-hash";
import type { ChargeRow } from "@/lib/charges/queries";
import type { Context } from "@/lib/context";
import { type ShownPayer, shownPayer } from "@/lib/operators/buyers";
import type { OperatorRole } from "@/lib/operators/sessions";
import { pipelined } from "@/lib/pipeline";

/** What who paid by card on a link left of themselves, where no customer was made of it. */
export async function payerOfLink(ctx: Context, role: OperatorRole, row: ChargeRow): Promise<ShownPayer | undefined> {
  if (row.sessionId === null) return undefined;
  const { db, account } = ctx;
  const [[buyer], [attempt]] = await pipelined([
    db
      .select({ email: paymentBuyers.email })
      .from(paymentBuyers)
      .where(
        and(
          eq(paymentBuyers.clientId, account.id),
          inArray(paymentBuyers.paymentId, row.purchaseId ? [row.id, row.purchaseId] : [row.id]),
        ),
      ),
    db
      .select({ hash: checkoutAttempts.buyer })
      .from(checkoutAttempts)
      .where(
        and(
          eq(checkoutAttempts.clientId, account.id),
          eq(checkoutAttempts.chargeId, row.id),
          isNotNull(checkoutAttempts.buyer),
        ),
      ),
  ]);
  const typed = analysed.safeParse(row.fraudAnalysis).data?.customer.identity;
  // What it is found by, so that whoever types what is shown finds it.
  const isTyped = typed !== undefined && attempt?.hash?.equals(buyerHash(ctx, typed)) === true;
  const document = row.holder?.document.number ?? (isTyped ? typed : undefined);
  return buyer || document ? shownPayer(role, { email: buyer?.email, document }) : undefined;
}

/** E-mails and documents of those who paid by card on links, by the ids of their payments: as many as a page shows. */
export async function payersOf(
  ctx: Context,
  role: OperatorRole,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ShownPayer>> {
  if (ids.length === 0) return new Map();
  const { db, account } = ctx;
  const [buyers, rows] = await pipelined([
    db
      .select({ id: paymentBuyers.paymentId, email: paymentBuyers.email })
      .from(paymentBuyers)
      .where(and(eq(paymentBuyers.clientId, account.id), inArray(paymentBuyers.paymentId, [...ids]))),
    db
      .select({ id: charges.id, holder: charges.holder })
      .from(charges)
      .where(and(eq(charges.clientId, account.id), inArray(charges.id, [...ids]))),
  ]);
  return new Map(
    ids.flatMap((id): [string, ShownPayer][] => {
      const email = buyers.find((buyer) => buyer.id === id)?.email || undefined;
      const document = rows.find((row) => row.id === id)?.holder?.document.number;
      return email || document ? [[id, shownPayer(role, { email, document })]] : [];
    }),
  );
}

const analysed = z.object({ customer: z.object({ identity: z.string() }) });
