import type { Brand } from "@/lib/brazil/card-brand";

const BRANDS: readonly Brand[] = [
  "visa",
  "mastercard",
  "elo",
  "hipercard",
  "amex",
  "diners",
  "discover",
  "jcb",
  "aura",
];

export const brandOfWire = (name: string): Brand => BRANDS.find((brand) => brand === name) ?? "unknown";
