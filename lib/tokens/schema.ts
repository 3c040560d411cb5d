import { z } from "zod";
import { brandOf, cvvLength, digitsOf, MAX_PAN_DIGITS, MIN_PAN_DIGITS } from "@/lib/brazil/card-brand";
import { optional, text } from "@/lib/http/fields";

/** Card data as a buyer types it. Whether the number and the date can be true is asked after the fields: a refused card is no malformed request. */

const CVV = /^\d{3,4}$/;
const EXPIRY = /^(0[1-9]|1[0-2])\/(\d{4})$/;
/** Digits with a blank or hyphen after each at the most. */
const LONGEST_NUMBER_TEXT = 2 * MAX_PAN_DIGITS;

const cardNumber = z
  .string()
  .max(LONGEST_NUMBER_TEXT)
  .transform((given, issues) => {
    const digits = digitsOf(given);
    if (digits && digits.length >= MIN_PAN_DIGITS && digits.length <= MAX_PAN_DIGITS) return digits;
    issues.addIssue({ code: "custom", message: `must be ${MIN_PAN_DIGITS} to ${MAX_PAN_DIGITS} digits` });
    return z.NEVER;
  })
  .meta({ type: "string", description: "13 to 19 digits; spaces and hyphens are removed" });

const cardCvv = z.string().regex(CVV, "must be 3 or 4 digits").meta({ description: "4 digits for American Express" });

const cardExpirationDate = z
  .string()
  .regex(EXPIRY, "must be a date MM/YYYY")
  .meta({ description: "`MM/YYYY`", examples: ["12/2031"] });

const HOLDER_MIN = 2;
const HOLDER_MAX = 100;

/** A whole card: the body of a token, and the one-shot card of a payment. */
export const cardData = z
  .object({
    cardHolderName: text(HOLDER_MAX, HOLDER_MIN),
    cardNumber,
    cardCvv,
    cardExpirationDate,
  })
  .superRefine((card, issues) => {
    const isAmex = brandOf(card.cardNumber) === "amex";
    if (isAmex && card.cardCvv.length !== cvvLength("amex")) {
      issues.addIssue({ code: "custom", path: ["cardCvv"], message: "must be 4 digits for American Express" });
    }
  })
  .meta({ id: "CardData", description: "Card data; kept encrypted, the CVV for ten minutes at the most." });
export type CardData = z.output<typeof cardData>;

const cvvUpdate = z.object({ cvvUpdate: z.string() });

export type NewToken = { kind: "card"; card: CardData } | { kind: "cvv"; cvv: string };

/** Either a card or a CVV alone: the member `cvvUpdate` decides, so that each broken rule is named. */
export const newToken = z
  .object({
    cardHolderName: optional(z.unknown()),
    cardNumber: optional(z.unknown()),
    cardCvv: optional(z.unknown()),
    cardExpirationDate: optional(z.unknown()),
    cvvUpdate: optional(z.unknown()),
  })
  .meta({
    id: "NewToken",
    properties: {
      cardHolderName: { type: "string", minLength: HOLDER_MIN, maxLength: HOLDER_MAX },
      cardNumber: { type: "string", description: "13 to 19 digits; spaces and hyphens are removed" },
      cardCvv: { type: "string", pattern: CVV.source, description: "4 digits for American Express" },
      cardExpirationDate: { type: "string", pattern: EXPIRY.source, description: "`MM/YYYY`" },
      cvvUpdate: { type: "string", pattern: CVV.source, description: "a CVV alone, for a card that is saved already" },
    },
    anyOf: [
      { required: ["cardHolderName", "cardNumber", "cardCvv", "cardExpirationDate"] },
      { required: ["cvvUpdate"] },
    ],
  })
  .transform((given, issues): NewToken => {
    const parsed =
      given.cvvUpdate === undefined
        ? cardData.transform((card): NewToken => ({ kind: "card", card })).safeParse(given)
        : cvvUpdate.transform((body): NewToken => ({ kind: "cvv", cvv: body.cvvUpdate })).safeParse(given);
    if (parsed.success) return parsed.data;
    for (const { path, message } of parsed.error.issues) issues.addIssue({ code: "custom", path, message });
    return z.NEVER;
  });

export const isCvv = (given: string): boolean => CVV.test(given);

export const tokenBody = z
  .object({ tokenId: z.string().meta({ format: "uuid" }) })
  .meta({ id: "Token", description: "Usable once, within two hours, by the account that made it." });
