import { z } from "zod";
import { loadAccount } from "@/lib/accounts/service";
import { systemContext } from "@/lib/context";
import { cron, eventType, workflow } from "@/lib/engine/workflow";
import { openReplays, REPLAY_REQUESTED, runReplay } from "@/lib/flows/replays/service";
import { newId } from "@/lib/ids";

const replayRequested = eventType(REPLAY_REQUESTED, z.object({ clientId: z.uuid(), replayId: z.uuid() }));

const replay = async (clientId: string, replayId: string): Promise<void> =>
  runReplay(systemContext(await loadAccount(clientId), newId()), replayId);

/** One at a time: they read much, and nobody waits for them at a till. */
export const replayFlow = workflow(
  { id: "replay-flow", isOneStep: true, triggers: replayRequested, concurrency: { limit: 1 } },
  async ({ event, step }) => {
    const { clientId, replayId } = event.data;
    await step.run("replay", () => replay(clientId, replayId));
  },
);

/** Whatever nobody woke, or whose worker died. */
export const sweepReplays = workflow(
  { id: "sweep-replays", isOneStep: true, triggers: cron("*/5 * * * *", "UTC"), concurrency: { limit: 1 } },
  async ({ step }) => {
    await step.run("sweep", async () => {
      for (const { clientId, id } of await openReplays()) await replay(clientId, id);
    });
  },
);
