import { allCardsOf, type CardRow } from "@/lib/cards/queries";
import type { Person } from "@/lib/checkout/form";
import { linkMoments } from "@/lib/checkout/moments";
import type { SavedCardView } from "@/lib/checkout/view";
import { type Context, inTransaction, now } from "@/lib/context";
import { getCustomer } from "@/lib/customers/service";
import type { SessionRow } from "@/lib/sessions/state";

const MOST_SHOWN = 6;

/** Only a link that the shop's own server opened for a customer shows that customer's cards (design/checkout.md 4). */
const customerOf = ({ customerId, createdByKey }: SessionRow): string | null =>
  createdByKey === null ? customerId : null;

/** The cards a buyer may choose on this link, newest first; a number that was saved twice is one card. */
export async function savedCardsOf(ctx: Context, session: SessionRow): Promise<SavedCardView[]> {
  const customerId = customerOf(session);
  if (!customerId) return [];
  const { thisMonth } = linkMoments(session, now(ctx));
  const rows = await inTransaction(ctx, (inside) => allCardsOf(inside, customerId));
  const usable = rows.filter(
    ({ status, expirationYear, expirationMonth }) =>
      status !== "failed" && `${expirationYear}-${expirationMonth}` >= thisMonth,
  );
  const byNumber = new Map<string, CardRow>();
  for (const row of usable) if (!byNumber.has(row.fingerprint)) byNumber.set(row.fingerprint, row);
  return [...byNumber.values()].slice(0, MOST_SHOWN).map(shown);
}

/** What tells their numbers apart, by the ids of the cards. */
export async function savedFingerprints(ctx: Context, session: SessionRow): Promise<ReadonlyMap<string, string>> {
  const customerId = customerOf(session);
  const rows = customerId ? await inTransaction(ctx, (inside) => allCardsOf(inside, customerId)) : [];
  return new Map(rows.map(({ id, fingerprint }) => [id, fingerprint]));
}

const shown = ({ id, brand, last4digits, expirationMonth, expirationYear }: CardRow): SavedCardView => ({
  id,
  brand,
  last4: last4digits,
  expiry: `${expirationMonth}/${expirationYear.slice(-2)}`,
});

/** Whose card it is: the shop knows the customer, who need not say it again. */
export async function holderOf(ctx: Context, session: SessionRow, email: string): Promise<Person> {
  const { name, documentType, documentNumber } = await inTransaction(ctx, (inside) =>
    getCustomer(inside, customerOf(session) ?? ""),
  );
  const type = documentType.toUpperCase() === "CNPJ" ? "CNPJ" : "CPF";
  return { name, document: { type, number: documentNumber ?? "" }, email };
}
