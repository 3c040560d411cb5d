import { BRANDS, type Brand } from "@/lib/brazil/card-brand";

export const brandOfWire = (name: string): Brand => BRANDS.find((brand) => brand === name) ?? "unknown";
