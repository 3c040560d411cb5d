import { z } from "zod";
import { cnpjOk, cpfOk, normalizeTaxId } from "@/lib/brazil/cpf-cnpj";
import { instantOut, isPublicWebAddress, optional, text, uuid } from "@/lib/http/fields";
import { listOf, pageQuery } from "@/lib/http/pagination";

const LONGEST_REFERENCE = 15;
const LONGEST_NAME = 100;
const LONGEST_PHONE = 13;
const LONGEST_IDENTITY = 18;

const mcc = z.string().regex(/^\d{3,4}$/, "must have 3 or 4 digits");
const referenceId = text(LONGEST_REFERENCE);
const identityType = z.enum(["CPF", "CNPJ"]);
const identity = text(LONGEST_IDENTITY).meta({ description: "With or without mask; at most 14 digits and letters" });
const country = z
  .string()
  .regex(/^[A-Za-z]{2}$/, "must be a country of two letters")
  .transform((code) => code.toUpperCase())
  .meta({ type: "string", pattern: "^[A-Za-z]{2}$", examples: ["BR"] });

const lines = {
  country,
  state: text(LONGEST_NAME),
  city: text(20),
  district: text(20),
  zipCode: text(10),
  street: text(LONGEST_NAME),
  streetNumber: text(5),
  complement: optional(text(LONGEST_NAME, 0)),
};
const address = z.object(lines).meta({ id: "VendorAddress" });
const { complement, ...required } = lines;
const addressChange = z
  .object({
    country: optional(required.country),
    state: optional(required.state),
    city: optional(required.city),
    district: optional(required.district),
    zipCode: optional(required.zipCode),
    street: optional(required.street),
    streetNumber: optional(required.streetNumber),
    complement,
  })
  .meta({ id: "VendorAddressChange" });

const contacts = {
  email: optional(z.email().max(LONGEST_NAME)),
  website: optional(text(LONGEST_NAME).refine(isPublicWebAddress, "must be an https address")),
  phoneNumber: optional(text(LONGEST_PHONE)),
};

/** What number and type say together. */
export const identityProblem = (type: "CPF" | "CNPJ", number: string): string | undefined =>
  (type === "CPF" ? cpfOk : cnpjOk)(number) ? undefined : `identity: is not a valid ${type}`;

export const newVendor = z
  .object({ referenceId, identityType, identity, mcc, name: text(LONGEST_NAME), ...contacts, address })
  .transform((vendor) => ({ ...vendor, identity: normalizeTaxId(vendor.identity) }))
  .meta({ id: "NewVendor" });
export type NewVendor = z.output<typeof newVendor>;

export const vendorChange = z
  .object({
    referenceId: optional(referenceId),
    identityType: optional(identityType),
    identity: optional(identity),
    mcc: optional(mcc),
    name: optional(text(LONGEST_NAME)),
    ...contacts,
    address: optional(addressChange),
  })
  .meta({ id: "VendorChange" });
export type VendorChange = z.output<typeof vendorChange>;

const words = z.string().nullable();
export const vendorBody = z
  .object({
    id: z.uuid(),
    referenceId: z.string(),
    identityType,
    identity: z.string(),
    mcc: z.string(),
    name: z.string(),
    email: words,
    website: words,
    phoneNumber: words,
    address: z.object({
      country: z.string(),
      state: z.string(),
      city: z.string(),
      district: z.string(),
      zipCode: z.string(),
      street: z.string(),
      streetNumber: z.string(),
      complement: words,
    }),
    createdAt: instantOut,
    updatedAt: instantOut,
  })
  .meta({ id: "Vendor", description: "Whose sale it is in the end, where a payment facilitator stands between." });
export type VendorBody = z.input<typeof vendorBody>;

export const vendorFilters = pageQuery.extend({ referenceId: z.string().max(LONGEST_REFERENCE).optional() });
export type VendorFilters = z.output<typeof vendorFilters>;
export const vendorList = listOf(vendorBody);
export const vendorParams = z.object({ id: uuid });
