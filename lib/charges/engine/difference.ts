import { z } from "zod";
import type { AttemptRow } from "@/lib/payments/attempts";

const shape = z.object({ field: z.enum(["amount", "currency", "reference"]), expected: z.string(), got: z.string() });

/** What a provider holds that is not what was asked of it; amounts in cents. */
export type AmountDifference = z.infer<typeof shape>;

/** Kept with the attempt, for the person who decides. */
export const differing = (
  { details }: Pick<AttemptRow, "details">,
  { field, expected, got }: AmountDifference,
): Pick<AttemptRow, "details"> => ({ details: { ...details, difference: { field, expected, got } } });

export const differenceIn = ({ details }: Pick<AttemptRow, "details">): AmountDifference | undefined =>
  shape.safeParse(details?.difference).data;
