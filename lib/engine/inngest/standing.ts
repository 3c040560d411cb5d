import { FAULT_WORDS, type Fault } from "@/lib/engine/inngest/faults";
import { type Link, SILENT_SECONDS } from "@/lib/engine/inngest/link";

/** What is wrong between this installation and Inngest, or null. */
export function faultOf({ registeredAt, registrationFault, eventsFault, quietSeconds }: Link): Fault | null {
  if (registeredAt === null) return registrationFault ?? "unregistered";
  if (registrationFault ?? eventsFault) return registrationFault ?? eventsFault;
  return quietSeconds >= SILENT_SECONDS ? "silent" : null;
}

/** In a few words: `event key refused`, `last call 4 min ago`. */
export function faultSaid(fault: Fault, { calledAt, quietSeconds }: Link): string {
  if (fault !== "silent") return FAULT_WORDS[fault];
  const ago = quietSeconds < 120 ? `${Math.round(quietSeconds)} s` : `${Math.round(quietSeconds / 60)} min`;
  return calledAt === null ? `no call for ${ago}` : `last call ${ago} ago`;
}
