import { eq } from "drizzle-orm";
import { cards } from "@/db/schema/customers";
import { brandOf } from "@/lib/brazil/card-brand";
import type { Charge } from "@/lib/charges/queries";
import { type Context, inTransaction } from "@/lib/context";
import { type CustomerRow, findCustomerOrGone } from "@/lib/customers/queries";
import type { CardSecret, Payer } from "@/lib/providers/provider";
import { readCardAndCvv } from "@/lib/vault/cards";

/** Card data in memory for as long as one charge is driven: the next provider gets the CVV from here. */
export interface CardMaterial {
  card?: CardSecret;
  payer?: Payer;
}

export async function cardSecret(ctx: Context, { row, paidWith }: Charge): Promise<CardSecret> {
  const cardId = row.cardId;
  if (!cardId) throw new Error("a card payment without a card");
  const [card] = paidWith
    ? [paidWith]
    : await inTransaction(ctx, ({ db }) => db.select().from(cards).where(eq(cards.id, cardId)));
  if (!card) throw new Error("the card of a charge is missing");
  const { pan, cvv } = await readCardAndCvv(ctx.account.id, card.vaultId, row.cvvTokenId ?? undefined);
  return {
    pan,
    ...(cvv === undefined ? {} : { cvv }),
    expMonth: card.expirationMonth,
    expYear: card.expirationYear,
    holderName: card.cardHolderName,
    brand: brandOf(pan),
  };
}

/** The buyer as the provider is told: whose card it is, else the payment's customer, else the holder's name alone. */
export async function payerOf(ctx: Context, { row, customer }: Charge): Promise<Payer> {
  if (row.holder) return { name: row.holder.name, document: { ...row.holder.document, country: "BR" } };
  const customerId = row.sourceCustomerId ?? row.customerId;
  if (customer && customer.id === customerId) return payerAs(customer);
  return customerId ? payerOfCustomer(ctx, customerId) : { name: "" };
}

export async function payerOfCustomer(ctx: Context, customerId: string): Promise<Payer> {
  const customer = await inTransaction(ctx, (inside) => findCustomerOrGone(inside, customerId));
  return customer ? payerAs(customer) : { name: "" };
}

function payerAs(customer: CustomerRow): Payer {
  const { address } = customer;
  const part = (name: string): string => address?.[name] ?? "";
  return {
    name: customer.name,
    email: customer.email,
    phone: customer.phoneNumber,
    ...(customer.documentNumber
      ? {
          document: { type: customer.documentType, number: customer.documentNumber, country: customer.documentCountry },
        }
      : {}),
    ...(address
      ? {
          address: {
            street: part("street"),
            streetNumber: part("streetNumber"),
            complement: part("complement"),
            district: part("district"),
            city: part("city"),
            state: part("state"),
            zipCode: part("zipCode"),
            country: part("country"),
          },
        }
      : {}),
  };
}
