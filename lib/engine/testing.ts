import { runThroughEmbedded } from "@/lib/engine/testing-embedded";
import { runThroughInngest } from "@/lib/engine/testing-inngest";

export { cronEvent, type Trial, type TrialOptions } from "@/lib/engine/testing-trial";
export { runThroughEmbedded, runThroughInngest };

/** For `describe.each`: every workflow is shown to work through both drivers. */
export const DRIVERS = [
  ["the embedded driver", runThroughEmbedded],
  ["Inngest", runThroughInngest],
] as const;
