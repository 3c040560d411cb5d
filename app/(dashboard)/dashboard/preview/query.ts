import { z } from "zod";
import { INTERVALS } from "@/db/schema/subscriptions";
import { typedAmount } from "@/lib/charges/typed-amount";
import { SAMPLE_STATES, type SampleState } from "@/lib/checkout/samples";
import { LOCALES } from "@/lib/i18n/locales";
import { isOwnName } from "@/lib/storage/names";

const HIGHEST_SIDE = 480;
const METHODS = ["credit", "pix", "boleto"] as const;
const LONGEST_TEXT = 255;
const MOST_INSTALLMENTS = 24;
const MOST_TRIAL_DAYS = 365;

// Guarantee: a list that is never empty, of the type it says.
const states = SAMPLE_STATES as [SampleState, ...SampleState[]];
const colour = z
  .string()
  .regex(/^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/)
  .nullable()
  .catch(null)
  .default(null);
const words = (fallback: string) => z.string().max(LONGEST_TEXT).catch(fallback).default(fallback);
const side = z.coerce.number().int().min(1).max(HIGHEST_SIDE).catch(1);

/**
 * What a preview is asked to show: whatever does not fit is left out, because it is asked for at every key.
 * Amounts are as somebody of `locale` types them, whatever language the page is shown in.
 */
export const previewQuery = (locale: string) =>
  z.object({
    state: z.enum(states).catch("open.pix").default("open.pix"),
    lang: z.enum(LOCALES).catch("pt-BR").default("pt-BR"),
    scheme: z.enum(["light", "dark", "forced"]).catch("light").default("light"),
    merchant: z.uuid().nullable().catch(null).default(null),
    /** Present when the look comes with the question instead of from what is saved. */
    look: z.literal("given").nullable().catch(null).default(null),
    mainColor: colour,
    secondaryColor: colour,
    attentionColor: colour,
    errorColor: colour,
    successColor: colour,
    backgroundColor: colour,
    siteUrl: z.httpUrl().nullable().catch(null).default(null),
    supportEmail: z.email().nullable().catch(null).default(null),
    logo: z
      .string()
      .refine((file) => isOwnName(`logo/${file}`))
      .nullable()
      .catch(null)
      .default(null),
    logoWidth: side.default(1),
    logoHeight: side.default(1),
    severalCards: z.enum(["yes", "no"]).catch("yes").default("yes"),
    captcha: z.enum(["yes", "no"]).catch("no").default("no"),
    leastPart: z
      .string()
      .transform((typed) => typedAmount(typed, locale))
      .catch(undefined)
      .optional(),
    name: words(""),
    amount: z
      .string()
      .transform((typed) => typedAmount(typed, locale))
      .catch(undefined)
      .optional(),
    methods: z
      .string()
      .transform((list) => METHODS.filter((method) => list.split(",").includes(method)))
      .catch([...METHODS])
      .default([...METHODS]),
    installments: z.coerce.number().int().min(1).max(MOST_INSTALLMENTS).catch(6).default(6),
    interval: z.enum(INTERVALS).nullable().catch(null).default(null),
    cycles: z.coerce.number().int().min(1).nullable().catch(null).default(null),
    trialDays: z.coerce.number().int().min(1).max(MOST_TRIAL_DAYS).nullable().catch(null).default(null),
    orderId: words(""),
    dueDate: z.iso.date().nullable().catch(null).default(null),
  });
export type PreviewQuery = z.output<ReturnType<typeof previewQuery>>;
