import { linkName } from "@/app/(dashboard)/dashboard/links/words";
import { paymentOverview } from "@/lib/charges/overview";
import { type Context, inSnapshot } from "@/lib/context";
import { findCustomer } from "@/lib/customers/queries";
import { isUuid } from "@/lib/ids";
import type { Buyer } from "@/lib/operators/buyers";
import { may } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { emailOfPayment } from "@/lib/purchases/new-links";
import { purchaseOverview } from "@/lib/purchases/overview";
import { unlessMissing } from "@/lib/purchases/sold-by";
import { findSession } from "@/lib/sessions/queries";
import type { SessionRow } from "@/lib/sessions/state";

/** What a link in place of a payment takes over from it. */
export interface Behind {
  /** As a customer that is still there. */
  buyer: Buyer | undefined;
  /** What the link that it came through is called. */
  link: string | undefined;
}

export async function behindPayment(ctx: Context, role: OperatorRole, paymentId: string): Promise<Behind> {
  const found =
    (await unlessMissing(paymentOverview(ctx, role, paymentId))) ??
    (await unlessMissing(purchaseOverview(ctx, role, paymentId)));
  if (!found) return { buyer: undefined, link: undefined };
  const { buyer, row } = found;
  return inSnapshot(ctx, async (inside) => {
    const session = row.sessionId ? await findSession(inside, row.sessionId) : undefined;
    const isThere = buyer !== undefined && (await findCustomer(inside, buyer.id)) !== undefined;
    return { buyer: isThere ? buyer : undefined, link: session && linkName(session) };
  });
}

export interface Recipient {
  email: string | undefined;
  /** As wa.me takes it. */
  whatsapp: string | undefined;
}

/** Whom a link is for, or who made the payment in whose place it is; for those who see buyers whole. */
export async function recipientOf(
  ctx: Context,
  role: OperatorRole,
  { customerId }: Pick<SessionRow, "customerId">,
  paymentId: string | undefined,
): Promise<Recipient> {
  if (!may(role, "buyers.see")) return { email: undefined, whatsapp: undefined };
  const customer = customerId ? await inSnapshot(ctx, (inside) => findCustomer(inside, customerId)) : undefined;
  const ofPayment = paymentId && isUuid(paymentId) ? emailOfPayment(ctx, role, paymentId) : undefined;
  return {
    email: customer?.email || (await ofPayment),
    whatsapp: customer && whatsappNumber(customer.phoneNumber),
  };
}

const BRAZIL = "55";
/** An area of two digits before a number of eight or nine. */
const WITH_AREA = /^\d{10,11}$/;
const WITH_COUNTRY = /^\d{8,15}$/;

/** Digits from the country on; undefined for a number that is not whole. */
export function whatsappNumber(phone: string): string | undefined {
  const digits = phone.replaceAll(/\D/g, "");
  if (phone.trim().startsWith("+")) return WITH_COUNTRY.test(digits) ? digits : undefined;
  const local = digits.replace(/^0/, "");
  if (WITH_AREA.test(local)) return BRAZIL + local;
  return digits.startsWith(BRAZIL) && WITH_AREA.test(digits.slice(BRAZIL.length)) ? digits : undefined;
}
