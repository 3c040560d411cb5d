export type Standing = "alone" | "approval" | "too_much";

/**
 * What can become of the amount that is typed. `most` is all there is, undefined where no amount is typed;
 * above `above` a second person is asked, undefined where nobody is.
 */
export function typedStanding(
  cents: number | undefined,
  most: number | undefined,
  above: number | undefined,
): Standing {
  if (most === undefined) return above === undefined ? "alone" : "approval";
  if (cents === undefined) return "alone";
  if (cents > most) return "too_much";
  return above !== undefined && cents > above ? "approval" : "alone";
}
