import { getTranslations } from "next-intl/server";
import type { LinkState, SessionRow } from "@/lib/sessions/state";

const TEXTS = {
  open: "stateOpen",
  in_use: "stateInUse",
  paid: "statePaid",
  limit_reached: "stateFull",
  expired: "stateExpired",
  off: "stateOff",
  canceled: "stateCanceled",
  voided: "stateVoided",
} as const satisfies Record<LinkState, string>;

export const STATE_TONES = {
  open: "success",
  in_use: "info",
  paid: "success",
  limit_reached: "neutral",
  expired: "neutral",
  off: "warning",
  canceled: "neutral",
  voided: "neutral",
} as const satisfies Record<LinkState, string>;

/** For how long cards of a link can be closed by hand; the last one is until somebody reopens them. */
export const PAUSES = [
  { hours: 1, wording: "pauseHour" },
  { hours: 24, wording: "pauseDay" },
  { hours: 168, wording: "pauseWeek" },
  { hours: 8_760, wording: "pauseOpen" },
] as const;

/** What people call it by: its own name, or what it sells. */
export const linkName = ({ id, name, items }: SessionRow): string => name ?? items[0]?.name ?? id;

export async function linkWords(): Promise<(state: LinkState) => string> {
  const t = await getTranslations("links");
  return (state) => t(TEXTS[state]);
}
