import { FAULT_WORDS, type Fault } from "@/lib/engine/inngest/faults";
import { type Link, SILENT_SECONDS } from "@/lib/engine/inngest/link";

/** What is wrong between this installation and Inngest, or null. */
export function linkFaultOf({ registeredAt, registrationFault, eventsFault, quietSeconds }: Link): Fault | null {
  if (registeredAt === null) return registrationFault ?? "unregistered";
  if (registrationFault ?? eventsFault) return registrationFault ?? eventsFault;
  return quietSeconds >= SILENT_SECONDS ? "silent" : null;
}

/** A fault that lasts this long is no restart of the server. */
const FAULT_SECONDS = 10;
/** Half of what an accepted purchase may wait before new ones are refused (lib/purchases/queue.ts). */
const WAIT_SECONDS = 15;

/**
 * Whether the workers have to do the minute's work themselves: nothing was called for long, what is wrong is known, or a
 * purchase that was accepted has waited for its call.
 */
export function mustSweep(link: Link, longestWaitSeconds: number): boolean {
  if (link.quietSeconds >= SILENT_SECONDS || longestWaitSeconds >= WAIT_SECONDS) return true;
  const fault = linkFaultOf(link);
  return fault !== null && link.toldFault === fault && (link.toldSeconds ?? 0) >= FAULT_SECONDS;
}

/** In a few words: `event key refused`, `last call 4 min ago`. */
export function faultSaid(fault: Fault, { calledAt, quietSeconds }: Link): string {
  if (fault !== "silent") return FAULT_WORDS[fault];
  const ago = quietSeconds < 120 ? `${Math.round(quietSeconds)} s` : `${Math.round(quietSeconds / 60)} min`;
  return calledAt === null ? `no call for ${ago}` : `last call ${ago} ago`;
}
