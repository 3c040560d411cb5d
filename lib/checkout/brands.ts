import { BRAND_NAMES, BRANDS, type Brand, brandOf } from "@/lib/brazil/card-brand";
import type { RoutedProvider } from "@/lib/payments/routing/provider";
import { providerFor } from "@/lib/providers/registry";

/** Whose cards any of the providers takes as credit. */
export const brandsOf = (providers: readonly Pick<RoutedProvider, "kind">[]): Brand[] =>
  BRANDS.filter((brand) =>
    providers.some(({ kind }) => {
      const { card } = providerFor(kind).capabilities;
      return card !== false && card.brands.credit.includes(brand);
    }),
  );

/** Brands of which the API knows no name, by which their buyers know them. */
const NAMELESS: Readonly<Partial<Record<Brand, string>>> = { aura: "Aura", unknown: "Hiper" };

/** As the marks and the page's own table call them. */
export const brandNames = (brands: readonly Brand[]): string[] =>
  brands.map((brand) => NAMELESS[brand] ?? BRAND_NAMES[brand]);

/** The name of the brand that nobody takes, empty for one without; undefined for a card that may be paid with. */
export function untakenBrand(taken: readonly Brand[], cardNumber: string): string | undefined {
  const name = BRAND_NAMES[brandOf(cardNumber)];
  // Where no provider takes any card at all, the payment itself says so.
  if (taken.length === 0 || taken.some((brand) => BRAND_NAMES[brand] === name)) return undefined;
  return name === BRAND_NAMES.unknown ? "" : name;
}
