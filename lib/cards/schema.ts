import { z } from "zod";
import { BRAND_NAMES } from "@/lib/brazil/card-brand";
import { customerBody } from "@/lib/customers/schema";
import { commaList, instantOut, optional, uuid } from "@/lib/http/fields";
import { listOf, pageQuery } from "@/lib/http/pagination";

export const CARD_STATUSES = ["active", "pending", "failed"] as const;

/** Both spellings of the zero-amount check are read; the outer one wins (spec/contract.md 6.1). */
const zeroDollar = { merchantId: optional(uuid), cvvCheck: optional(z.boolean()) };

export const newCard = z
  .object({
    tokenId: uuid,
    ...zeroDollar,
    zeroDollar: optional(z.object(zeroDollar)),
  })
  .meta({
    id: "NewCard",
    description: "With merchantId and a secret key the card is checked by an authorisation of zero.",
  })
  .transform(({ tokenId, zeroDollar: nested, ...outer }) => ({
    tokenId,
    merchantId: outer.merchantId ?? nested?.merchantId,
    cvvCheck: outer.cvvCheck ?? nested?.cvvCheck ?? true,
  }));
export type NewCard = z.output<typeof newCard>;

export const cardFilters = pageQuery.extend({
  customerId: uuid.optional(),
  fingerprint: z.string().max(100).optional(),
  status: commaList(CARD_STATUSES).optional(),
});
export type CardFilters = z.output<typeof cardFilters>;

const BRANDS = [...new Set(Object.values(BRAND_NAMES))];

const cardTransactionRequest = z
  .object({
    id: z.uuid(),
    createdAt: instantOut,
    providerId: z.uuid().nullable(),
    providerType: z.string(),
    requestStatus: z.string(),
    requestType: z.string(),
    responseTs: z
      .string()
      .nullable()
      .meta({ examples: ["318ms"] }),
  })
  .meta({ id: "CardTransactionRequest", description: "The zero-amount check of a card at a provider." });

const networkToken = z
  .object({
    id: z.uuid(),
    status: z.enum(["failed", "active", "suspended", "deleted"]),
    type: z.literal("network_token"),
    providerType: z.string(),
    updatedAt: instantOut,
  })
  .meta({ id: "NetworkToken", description: "A token that a card network keeps for the card." });

export const cardBody = z
  .object({
    id: z.uuid(),
    clientId: z.uuid(),
    customerId: z.uuid().nullable(),
    status: z.enum(CARD_STATUSES).meta({ description: "pending: usable, not validated; failed: not usable" }),
    statusReason: z.string().nullable(),
    cardHolderName: z.string(),
    brand: z.enum(BRANDS),
    first6digits: z.string(),
    last4digits: z.string(),
    expirationMonth: z.string().meta({ description: "`MM`" }),
    expirationYear: z.string().meta({ description: "`YYYY`" }),
    cvvChecked: z.boolean(),
    fingerprint: z.string().meta({ description: "The same number has the same value inside one account only." }),
    tokens: z.array(networkToken),
    transactionRequests: z.array(cardTransactionRequest).optional().meta({ description: "On creation and read." }),
    customer: customerBody.nullable().optional().meta({ description: "On read." }),
    createdAt: instantOut,
    updatedAt: instantOut,
    deletedAt: instantOut.nullable(),
    deletedReason: z.string().nullable(),
  })
  .meta({ id: "Card", description: "A saved card. Its number and CVV are never answered." });
export type CardBody = z.input<typeof cardBody>;

export const cardList = listOf(cardBody);
export const cardParams = z.object({ id: uuid });

export const cardLink = z
  .object({
    cardId: uuid,
    default: optional(z.boolean()).transform((isDefault) => isDefault ?? false),
  })
  .meta({ id: "CardLink", description: "Gives a card to a customer; `default` makes it the one payments use." });
export type CardLink = z.output<typeof cardLink>;

/** Without page and limit the bare array of all cards: the one list that is not always paged (spec/contract.md 1.4). */
export const customerCardsQuery = pageQuery.extend({
  page: pageQuery.shape.page.unwrap().optional(),
  limit: pageQuery.shape.limit.unwrap().optional(),
});
export type CustomerCardsQuery = z.output<typeof customerCardsQuery>;
export const customerCards = z.union([z.array(cardBody), cardList]);
export const linkParams = z.object({ customer_id: uuid, cardId: uuid });
