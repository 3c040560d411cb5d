import { z } from "zod";
import { COUNTRIES, DEFAULT_COUNTRY } from "@/lib/customers/document-types";
import { instantOut, optional, text, uuid, yesNo } from "@/lib/http/fields";
import { listOf, pageQuery } from "@/lib/http/pagination";

const NAME = 255;
const PHONE = 32;
const EMAIL = 254;
const ADDRESS_LINE = 255;
const ZIP_CODE = 32;
const DOCUMENT_MEMBER = 60;

const country = z
  .string()
  .regex(/^[A-Za-z]{2}$/, "must be a country of two letters")
  .transform((code) => code.toUpperCase())
  .meta({ type: "string", pattern: "^[A-Za-z]{2}$", examples: ["BR"] });

const email = z
  .email("must be an e-mail address")
  .max(EMAIL)
  .transform((address) => address.toLowerCase())
  .meta({ type: "string", format: "email", maxLength: EMAIL });

const line = text(ADDRESS_LINE);
const anyLine = optional(text(ADDRESS_LINE, 0));

export const address = z
  .object({
    street: line,
    streetNumber: line,
    zipCode: text(ZIP_CODE),
    country: optional(country).transform((code) => code ?? "BR"),
    state: line,
    city: line,
    district: line,
    complement: anyLine,
  })
  .meta({ id: "Address" });

export const partialAddress = z
  .object({
    street: anyLine,
    streetNumber: anyLine,
    zipCode: optional(text(ZIP_CODE, 0)),
    country: optional(country),
    state: anyLine,
    city: anyLine,
    district: anyLine,
    complement: anyLine,
  })
  .meta({ id: "PartialAddress" });

/** What its type, number and country allow together is asked after the fields: it depends on the account's mode too. */
export const documentInput = z
  .object({
    type: text(DOCUMENT_MEMBER),
    number: optional(text(DOCUMENT_MEMBER)),
    country: optional(z.enum(COUNTRIES)).transform((code) => code ?? DEFAULT_COUNTRY),
  })
  .meta({
    id: "NewDocument",
    description:
      "Type of document of the country, in any letter case; CPF and CNPJ with or without mask. `noDocument` takes no number.",
  });

const name = text(NAME);
const phoneNumber = text(PHONE);
const changeable = {
  address: optional(address),
  billingAddress: optional(partialAddress),
  deliveryAddress: optional(partialAddress),
};

export const newCustomer = z
  .object({ name, email, phoneNumber, document: documentInput, ...changeable })
  .meta({ id: "NewCustomer" });
export type NewCustomer = z.output<typeof newCustomer>;

/** The buyer a payment names without saving it first (spec/contract.md 8.3). */
export const newBuyer = z
  .object({ name: optional(name), email, phoneNumber, document: documentInput, address: optional(address) })
  .meta({ id: "NewBuyer", description: "A buyer made with the payment, without the uniqueness check." });
export type NewBuyer = z.output<typeof newBuyer>;

/** E-mail and document cannot change: as members nobody knows they are ignored. */
export const customerChange = z
  .object({
    name: optional(name),
    phoneNumber: optional(phoneNumber),
    ...changeable,
    defaultCardId: uuid.nullish().meta({ description: "A linked card that is not failed; null for none" }),
  })
  .meta({ id: "CustomerChange" });
export type CustomerChange = z.output<typeof customerChange>;

export const createQuery = z.object({
  force: yesNo.optional().meta({ type: "boolean", description: "true skips the uniqueness check" }),
});

export const customerFilters = pageQuery.extend({
  id: uuid.optional(),
  email: z
    .string()
    .max(EMAIL)
    .transform((address) => address.toLowerCase())
    .optional(),
  "document.type": z.string().max(DOCUMENT_MEMBER).optional().meta({ description: "in any letter case" }),
  "document.number": z.string().max(DOCUMENT_MEMBER).optional().meta({ description: "with or without mask" }),
});
export type CustomerFilters = z.output<typeof customerFilters>;

const addressOut = z
  .object({
    street: z.string().nullable(),
    streetNumber: z.string().nullable(),
    zipCode: z.string().nullable(),
    country: z.string().nullable(),
    state: z.string().nullable(),
    city: z.string().nullable(),
    district: z.string().nullable(),
    complement: z.string().nullable(),
  })
  .meta({ id: "CustomerAddress" });

export const customerBody = z
  .object({
    id: z.uuid(),
    createdAt: instantOut,
    updatedAt: instantOut,
    clientId: z.uuid(),
    name: z.string(),
    email: z.string(),
    phoneNumber: z.string(),
    document: z
      .object({ type: z.string(), number: z.string().nullable(), country: z.string() })
      .meta({ id: "Document", description: "The type as it was sent; CPF and CNPJ without mask." }),
    address: addressOut.nullable(),
    billingAddress: addressOut.nullable(),
    deliveryAddress: addressOut.nullable(),
    defaultCardId: z.uuid().nullable(),
  })
  .meta({ id: "Customer", description: "A buyer of the account." });
export type CustomerBody = z.input<typeof customerBody>;

export const customerList = listOf(customerBody);
export const customerParams = z.object({ id: uuid });
export const customerCardsParams = z.object({ customer_id: uuid });
