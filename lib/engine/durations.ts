/** Whole seconds as a number, or "90s", "15m", "2h", "7d": what both drivers can keep. */
export type Duration = number | `${number}${"s" | "m" | "h" | "d"}`;

const SECONDS: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400 };
const TEXT = /^(\d+(?:\.\d+)?)([smhd])$/;

/** Rounded up to a whole second, at least one: Inngest's durable waits are no finer. */
export function durationSeconds(duration: Duration): number {
  const seconds = typeof duration === "number" ? duration : parse(duration);
  if (!Number.isFinite(seconds) || seconds < 0) throw new RangeError(`"${duration}" is not a duration`);
  return Math.max(1, Math.ceil(seconds));
}

function parse(text: string): number {
  const [, amount, unit] = TEXT.exec(text) ?? [];
  return amount && unit ? Number(amount) * (SECONDS[unit] ?? Number.NaN) : Number.NaN;
}
