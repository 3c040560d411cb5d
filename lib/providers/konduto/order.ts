import { z } from "zod";
import type { AnalysisCall, Suspect } from "@/lib/providers/antifraud";
import { foldedText } from "@/lib/providers/text";

const MAX_TEXT = 100;
const MAX_ADDRESS = 255;
const BIN_DIGITS = 6;
const CENTS = 100;

/** Letters and digits alone: a charge's id and the number of its analysis. */
export const orderIdOf = (reference: string): string => reference.replace(/[^0-9a-z]/gi, "");

const OF_OURS = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})(\d+)$/;

/** The reference that an order's id was made from; undefined for an order of somebody else's. */
export const referenceOf = (orderId: string): string | undefined => {
  const parts = OF_OURS.exec(orderId)?.slice(1);
  return parts?.join("-");
};

const optional = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);
const text = optional(z.string());
const number = optional(z.number());
const day = optional(z.string().regex(/^\d{4}-\d{2}-\d{2}/));

const address = z.object({
  street: text,
  number: optional(z.coerce.string()),
  complement: text,
  district: text,
  city: text,
  state: text,
  zipCode: text,
  country: text,
});
type Place = z.output<typeof address>;

/** Of what the client sent, whose form is ours (spec/contract.md 8.6). */
const analysed = z.object({
  customer: optional(
    z.object({
      name: text,
      email: text,
      phone: text,
      identity: text,
      birthdate: day,
      registrationDate: day,
      billingAddress: optional(address),
      deliveryAddress: optional(address),
    }),
  ),
  cart: optional(
    z.object({
      items: optional(
        z.array(z.object({ name: text, description: text, sku: text, quantity: number, unitPrice: number })),
      ),
    }),
  ),
});

/** The order as it is sent; undefined where nobody says whose it is: Konduto takes none without a name and an e-mail. */
export function orderOf(call: AnalysisCall, suspect: Suspect): Record<string, unknown> | undefined {
  const { amount, installments, card, ip, buyer, buyerDocument } = suspect;
  const { customer, cart } = analysed.parse(suspect.fraudAnalysis);
  const name = foldedText(customer?.name ?? buyer?.name ?? card.holderName, MAX_TEXT);
  const email = customer?.email ?? buyer?.email;
  const document = customer?.identity ?? buyerDocument;
  const phone = customer?.phone ?? buyer?.phone;
  if (!name || !email) return undefined;
  const isHeld = call.options?.runBeforeCharge !== true;
  return {
    id: orderIdOf(call.reference),
    total_amount: amount / CENTS,
    currency: "BRL",
    installments,
    ...(ip?.includes(".") ? { ip } : {}),
    analyze: true,
    customer: {
      id: (document ?? email).slice(0, MAX_TEXT),
      name,
      email: email.slice(0, MAX_TEXT),
      ...(document ? { tax_id: document.slice(0, MAX_TEXT) } : {}),
      ...(phone ? { phone1: phone.slice(0, MAX_TEXT) } : {}),
      ...(customer?.birthdate ? { dob: customer.birthdate.slice(0, 10) } : {}),
      ...(customer?.registrationDate ? { created_at: customer.registrationDate.slice(0, 10) } : {}),
    },
    payment: [
      {
        type: "credit",
        status: isHeld ? "approved" : "pending",
        bin: card.bin.slice(0, BIN_DIGITS),
        last4: card.last4,
      },
    ],
    ...(customer?.billingAddress ? { billing: placeOf(card.holderName, customer.billingAddress) } : {}),
    ...(customer?.deliveryAddress ? { shipping: placeOf(name, customer.deliveryAddress) } : {}),
    ...(cart?.items && cart.items.length > 0
      ? {
          shopping_cart: cart.items.map(({ sku, description, quantity, unitPrice, ...item }) => ({
            ...(sku ? { sku: sku.slice(0, MAX_TEXT) } : {}),
            ...(item.name ? { name: item.name.slice(0, MAX_TEXT) } : {}),
            ...(description ? { description: description.slice(0, MAX_TEXT) } : {}),
            ...(unitPrice === undefined ? {} : { unit_cost: unitPrice / CENTS }),
            ...(quantity === undefined ? {} : { quantity }),
          })),
        }
      : {}),
  };
}

function placeOf(name: string, { street, number: house, complement, district, city, state, zipCode, country }: Place) {
  const first = [street, house].filter(Boolean).join(", ");
  const second = [complement, district].filter(Boolean).join(", ");
  return {
    name: foldedText(name, MAX_TEXT),
    ...(first ? { address1: first.slice(0, MAX_ADDRESS) } : {}),
    ...(second ? { address2: second.slice(0, MAX_ADDRESS) } : {}),
    ...(city ? { city: city.slice(0, MAX_TEXT) } : {}),
    ...(state ? { state: state.slice(0, MAX_TEXT) } : {}),
    ...(zipCode ? { zip: zipCode.slice(0, MAX_TEXT) } : {}),
    ...(country?.length === 2 ? { country: country.toUpperCase() } : {}),
  };
}
