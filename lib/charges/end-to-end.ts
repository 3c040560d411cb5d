import { surplusOf } from "@/lib/charges/engine/surplus";
import type { Charge } from "@/lib/charges/queries";

/** The identifier by which the payer's bank knows a Pix; null where no Pix came. */
export function endToEndOf({ attempts }: Pick<Charge, "attempts">): string | null {
  for (const { details } of attempts) {
    const id = textOf(memberOf(details?.pix, "endToEndId")) ?? textOf(details?.endToEndId);
    if (id) return id;
  }
  // Of a payment that only came late, the one that went back is all there is.
  return attempts.map(surplusOf).find((id) => id !== undefined) ?? null;
}

const textOf = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined;
