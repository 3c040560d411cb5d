import { z } from "zod";
import { PASSING } from "@/lib/purposes";
import { openText, sealText } from "@/lib/secrets";
import { addSeconds } from "@/lib/time";

const BOUND = "cookie";
/** It goes from one function to the next, never to a browser. */
const TICKET_SECONDS = 30;
export const TICKET_MAX_CHARS = 500;

const ticket = z.object({ operatorId: z.string(), sessionId: z.string(), until: z.number() });

/** For a session that was opened elsewhere than at the form: the cookie's maker believes it. */
export function sessionTicket(given: { operatorId: string; sessionId: string }, now: Date): string {
  const text = JSON.stringify({ ...given, until: addSeconds(now, TICKET_SECONDS).getTime() });
  return sealText(PASSING.sessionTicket, text, BOUND).toString("base64url");
}

export function openTicket(text: string, now: Date): { operatorId: string; sessionId: string } | undefined {
  try {
    const { until, ...opened } = ticket.parse(
      JSON.parse(openText(PASSING.sessionTicket, Buffer.from(text, "base64url"), BOUND)),
    );
    return until < now.getTime() ? undefined : opened;
  } catch {
    return undefined;
  }
}
