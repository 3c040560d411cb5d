import { systemSql } from "@/db/client";
import { type Context, inSnapshot, now } from "@/lib/context";
import { DomainError, notFound, RequestError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { monotonicMs, nowOn, realNow } from "@/lib/time";
import { pause } from "@/lib/wait";
import {
  accountOfDelivery,
  type ClaimedDelivery,
  claimForListener,
  giveBack,
  stillClaimed,
} from "@/lib/webhooks/claim";
import { headersOfDelivery } from "@/lib/webhooks/deliver";
import { isListener } from "@/lib/webhooks/endpoint-rules";
import { recordAttempt, recordLost } from "@/lib/webhooks/record";
import type { ListenInput } from "@/lib/webhooks/schema";
import { webhookAt } from "@/lib/webhooks/service";

const LOOK_AGAIN_MS = 200;

/** A delivery in the hands of its reader: everything an endpoint would have been sent. */
export interface Taken {
  deliveryId: string;
  receipt: string;
  attempt: number;
  headers: Record<string, string>;
  body: string;
}

/**
 * One turn of a reader: what came of the deliveries it took before, and those that wait for it now. Where it stands is
 * the state of each delivery's row, never a position: an event that commits late is as new as any other (E4).
 */
export async function listen(ctx: Context, webhookId: string, input: ListenInput): Promise<Taken[]> {
  const { address, status } = await inSnapshot(ctx, (inside) => webhookAt(inside, webhookId));
  if (!isListener(address)) throw notFound("listener");
  for (const result of input.results) await recordResult(ctx, webhookId, result);
  if (!status) throw new DomainError("webhook_disabled", "the webhook is disabled");
  if (input.restart) await giveBack(systemSql(), webhookId);
  if (input.limit === 0) return [];
  const turn = {};
  waiting.set(webhookId, turn);
  try {
    return await takeWithin(webhookId, input, turn);
  } finally {
    if (waiting.get(webhookId) === turn) waiting.delete(webhookId);
  }
}

/** The newest call for each listener: one whose reader hung up would else take events that nobody gets. */
const waiting = new Map<string, object>();

async function takeWithin(webhookId: string, { limit, waitSeconds }: ListenInput, turn: object): Promise<Taken[]> {
  const untilMs = monotonicMs() + waitSeconds * 1_000;
  for (;;) {
    if (waiting.get(webhookId) !== turn) {
      throw new RequestError(409, "invalid_request_error", "another reader took over");
    }
    const claimed = await claimForListener(systemSql(), webhookId, limit);
    const taken: Taken[] = [];
    for (const one of claimed) {
      if (one.body) taken.push(handOver(one, one.body));
      else await recordLost(accountOfDelivery(one), one, newId());
    }
    if (taken.length > 0 || monotonicMs() >= untilMs) return taken;
    await pause(LOOK_AGAIN_MS);
  }
}

function handOver(claimed: ClaimedDelivery, body: Buffer): Taken {
  const sentAt = realNow();
  return {
    deliveryId: claimed.id,
    receipt: `${claimed.epoch}.${sentAt.getTime()}`,
    attempt: claimed.attempts + 1,
    headers: headersOfDelivery(claimed, body, nowOn(accountOfDelivery(claimed).clock), sentAt),
    body: body.toString("utf8"),
  };
}

/** Written as if we had sent it: the same schedule, the same attempts to read, the same resend. */
async function recordResult(ctx: Context, webhookId: string, result: ListenInput["results"][number]): Promise<void> {
  const [epoch = "", sentMs = ""] = result.receipt.split(".");
  const claimed = await stillClaimed(systemSql(), { webhookId, id: result.deliveryId, epoch: Number(epoch) });
  if (!claimed?.body) return;
  const { durationMs, statusCode, error } = result;
  await recordAttempt({
    claimed,
    account: accountOfDelivery(claimed),
    requestId: newId(),
    // Signatures of this kind are the same whenever they are made over the same.
    requestHeaders: headersOfDelivery(claimed, claimed.body, now(ctx), new Date(Number(sentMs))),
    at: now(ctx),
    answer: { durationMs, ...(statusCode === undefined ? {} : { statusCode }), ...(error ? { error } : {}) },
  });
}
