import { z } from "zod";
import { invalid } from "@/lib/errors";
import { isPublicWebAddress, optional, text, uuid } from "@/lib/http/fields";

const LONGEST_URL = 2_048;
const LONGEST_DPA_ID = 255;

/** An empty text is what a form sends for a field nobody filled in: it is as if it were not there. */
const emptyIsAbsent = (given: string | undefined): string | undefined => (given === "" ? undefined : given);

const colour = optional(z.string().regex(/^(?:#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6}))?$/, "must be #RGB or #RRGGBB"))
  .transform(emptyIsAbsent)
  .meta({ examples: ["#1B4DFF"] });

const companyUrl = optional(
  text(LONGEST_URL, 0).refine((given) => given === "" || isPublicWebAddress(given), "must be an https address"),
)
  .transform(emptyIsAbsent)
  .meta({ description: "https only", examples: ["https://example.com"] });

export const settingsInput = z
  .object({
    mainColor: colour,
    SecondaryColor: colour,
    secondaryColor: colour.meta({ description: "The same as SecondaryColor, which wins" }),
    attentionColor: colour,
    errorColor: colour,
    successColor: colour,
    backgroundColor: colour,
    companyUrl,
    mastercardClickToPayDpaid: optional(text(LONGEST_DPA_ID, 0)).transform(emptyIsAbsent),
  })
  .transform(({ SecondaryColor, secondaryColor, ...others }) => ({
    ...others,
    secondaryColor: SecondaryColor ?? secondaryColor,
  }))
  .meta({ id: "SettingsInput" });
export type SettingsInput = z.output<typeof settingsInput>;

const colourOut = z.string().meta({ description: "As it was set, else Trilho's own" });

export const settingsBody = z
  .object({
    id: uuid,
    clientId: uuid,
    mainColor: colourOut,
    SecondaryColor: colourOut,
    attentionColor: colourOut,
    errorColor: colourOut,
    successColor: colourOut,
    backgroundColor: colourOut,
    logo: z.string().nullable().meta({ description: "Address of the logo, re-encoded" }),
    companyUrl: z.string().nullable(),
    mastercardClickToPayDpaid: z.string().nullable(),
    merchantId: z.string().meta({ description: "Empty for the account's default" }),
  })
  .meta({ id: "Settings" });

/** X-Merchant-Id; empty is the account's default, as in answers. */
export function merchantIn(headers: Headers): string | null {
  const given = headers.get("x-merchant-id")?.trim() ?? "";
  if (given === "") return null;
  const parsed = uuid.safeParse(given);
  if (!parsed.success) throw invalid("X-Merchant-Id: must be a uuid");
  return parsed.data;
}
