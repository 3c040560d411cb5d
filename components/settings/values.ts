import { BRAND_COLOURS, type BrandColour, type BrandColours, OWN_COLOURS, type Scheme } from "@/lib/branding/palette";

export interface Picture {
  /** Where it comes from when the form is sent: `keep`, `file:<name>` or `copy:<scope>`. */
  from: string;
  file: string;
  url: string;
  width: number;
  height: number;
}

type Choice = "" | "yes" | "no";

/** As the fields hold them; empty is left to what stands behind. */
export interface LookValues extends Record<BrandColour, string> {
  siteUrl: string;
  supportEmail: string;
  picture: Picture | null;
  severalCards: Choice;
  captcha: Choice;
  leastPart: string;
}

const COLOUR = /^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/;
export const isTypedColour = (typed: string): boolean => COLOUR.test(typed);

/** The colours as a buyer would get them now: a half-typed one is as if it were not there. */
export function effective(
  values: LookValues,
  behind: LookValues,
): { colours: BrandColours; shown: Record<BrandColour, string> } {
  const of = (name: BrandColour): string | null =>
    isTypedColour(values[name]) ? values[name] : isTypedColour(behind[name]) ? behind[name] : null;
  // Guarantee: every name of a colour is in the list.
  const colours = Object.fromEntries(BRAND_COLOURS.map((name) => [name, of(name)])) as unknown as BrandColours;
  const shown = Object.fromEntries(BRAND_COLOURS.map((name) => [name, colours[name] ?? OWN_COLOURS[name]])) as Record<
    BrandColour,
    string
  >;
  return { colours, shown };
}

/** Both, also where the merchant's own background leaves one of them unused: the table says so by equal values. */
export const schemesOfLook = ({ backgroundColor }: BrandColours): readonly Scheme[] =>
  backgroundColor === null ? ["light", "dark"] : ["light"];

export function previewQueryOf(
  merchantId: string | null,
  values: LookValues,
  behind: LookValues,
): Record<string, string> {
  const { colours } = effective(values, behind);
  const picture = values.picture ?? behind.picture;
  const all: Record<string, string | null | undefined> = {
    look: "given",
    merchant: merchantId,
    ...colours,
    siteUrl: values.siteUrl || behind.siteUrl,
    supportEmail: values.supportEmail || behind.supportEmail,
    logo: picture?.file,
    logoWidth: picture?.width.toString(),
    logoHeight: picture?.height.toString(),
    severalCards: values.severalCards || behind.severalCards,
    captcha: values.captcha || behind.captcha,
    leastPart: values.leastPart || behind.leastPart,
  };
  return Object.fromEntries(Object.entries(all).flatMap(([name, value]) => (value ? [[name, value]] : [])));
}
