import { isDeclinedCode } from "@/lib/declines/decline-codes";
import { mapDecline } from "@/lib/declines/decline-map";
import { brandOfWire } from "@/lib/testing/mirror/brand";
import type { WireDecline } from "@/lib/testing/mirror/wire";

const SIGNS = [..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const CODES = SIGNS.flatMap((first) => SIGNS.map((second) => first + second));
const DECLINE = "decline:";
const COME_BACK_IN_AN_HOUR = "24";

/** The code by which a network says `decline:<declinedCode>`; undefined for a card that is not declined. */
export function networkDecline(outcome: string, brandName: string): WireDecline | undefined {
  if (!outcome.startsWith(DECLINE)) return undefined;
  const wanted = outcome.slice(DECLINE.length);
  const brand = brandOfWire(brandName);
  const known = isDeclinedCode(wanted)
    ? CODES.find((code) => mapDecline({ brand, code, mac: undefined, crossBorder: false }).declinedCode === wanted)
    : undefined;
  const isAdvised = wanted === "restricted_card" && brand === "mastercard";
  return { networkCode: known ?? "ZZ", ...(isAdvised ? { adviceCode: COME_BACK_IN_AN_HOUR } : {}) };
}
