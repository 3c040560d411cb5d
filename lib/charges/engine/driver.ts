import { analyseFraud } from "@/lib/charges/engine/analyse";
import { type Applied, apply } from "@/lib/charges/engine/apply";
import { type CardMaterial, cardSecret } from "@/lib/charges/engine/card-material";
import { type Decision, outOfTime, undeterminedOutcome } from "@/lib/charges/engine/decision";
import { alternativeTo } from "@/lib/charges/engine/failover";
import { holdCharge } from "@/lib/charges/engine/lease";
import { perform } from "@/lib/charges/engine/perform";
import { queryAttempt } from "@/lib/charges/engine/query-attempt";
import { deleteAnsweredCvv, mayReplayAuthorization } from "@/lib/charges/engine/replay";
import { situationOf } from "@/lib/charges/engine/situation";
import type { Charge } from "@/lib/charges/queries";
import { type Context, inTransaction } from "@/lib/context";
import { type AttemptRow, reopenAttempt } from "@/lib/payments/attempts";
import { callTimeoutMs, IN_BAND_MS } from "@/lib/payments/call";
import type { RoutedProvider } from "@/lib/payments/routing/provider";
import { monotonicMs } from "@/lib/time";
import { pause } from "@/lib/wait";

/** A call of a charge, or the question what became of it. */
export interface Task {
  /** `send`: committed as sent, and not sent yet. `ask`: it may have been sent, and never is again. */
  do: "send" | "ask";
  charge: Charge;
  attempt: AttemptRow;
  provider: RoutedProvider;
}

/** Whose a charge is while it is driven: its own, or that of the purchase it is a card of. `C` is what follows for the owner. */
export interface Owner<C> {
  /** The fence of a transaction that leads to another call: throws when the charge is not this worker's any more. */
  hold(ctx: Context, charge: Charge): Promise<unknown>;
  /** Writes one decision whole, with what it means for the owner. */
  write(ctx: Context, ...written: Written): Promise<Applied & { continuation: C }>;
  /** Outside any transaction: the next task, on another charge or for another owner. */
  follow(ctx: Context, continuation: C): Promise<Owned<C> | undefined>;
}

export interface Owned<C> {
  task: Task;
  owner: Owner<C>;
  /** On its way since the task was decided. */
  material?: Promise<CardMaterial>;
}

type Written = [
  charge: Charge,
  attempt: AttemptRow,
  provider: RoutedProvider,
  decision: Decision,
  responseMs: number | undefined,
];

/** A charge outside purchases: held by the lease in its row, and nothing follows for anybody else. */
export const CHARGE_OWNER: Owner<undefined> = {
  hold: (ctx, { row }) => holdCharge(ctx, row),
  write: async (ctx, ...written) => ({ ...(await apply(ctx, ...written)), continuation: undefined }),
  follow: async () => undefined,
};

/** A call is not begun with less than this left: it would end by the clock, not by the provider. */
const SHORTEST_CALL_MS = 1_000;
const SHORTEST_FAILOVER_MS = 2 * SHORTEST_CALL_MS;

export interface DriveOptions {
  material?: CardMaterial;
  /** On the monotonic clock: when the lease behind this was taken, if that was before now. */
  startedMs?: number;
}

/**
 * The one loop that calls providers: sends or asks, writes what came of it, and goes on until nothing is left to do
 * now. Whoever loses its lease stops, and a sweep finishes the work. Answers the last charge as it is then known.
 */
export async function drive<C>(ctx: Context, first: Owned<C>, options: DriveOptions = {}): Promise<Charge> {
  let { material: secrets = (await first.material) ?? {}, startedMs = monotonicMs() } = options;
  let { task: present, owner } = first;
  for (;;) {
    const { charge, attempt, provider } = present;
    const { decided, responseMs } =
      present.do === "ask"
        ? { decided: await queryAttempt(ctx, charge, attempt, provider), responseMs: undefined }
        : await sent(ctx, present, secrets, startedMs);
    // The next provider is told the same code, which is deleted with this answer.
    if (isFailover(decided)) secrets.card ??= await cardSecret(ctx, charge);
    const written = owner.write(ctx, charge, attempt, provider, decided, responseMs);
    // Until the answer is written, whoever takes over may have to replay the request with its code.
    const spare = mayReplayAuthorization(attempt.providerType) ? written : Promise.resolve();
    const [{ continuation, ...applied }] = await Promise.all([
      written,
      spare.then(() => deleteAnsweredCvv(ctx, charge, decided)),
    ]);
    const next = await nextOn(ctx, owner, { ...present, charge: applied.charge }, applied.attempt, decided, secrets);
    if (next && "do" in next) {
      present = next;
      continue;
    }
    const following = await owner.follow(ctx, continuation);
    if (!following) return next?.charge ?? applied.charge;
    ({ task: present, owner } = following);
    startedMs = monotonicMs();
    secrets = (await following.material) ?? {};
  }
}

/** The same for a charge outside purchases. */
export const driveCharge = (ctx: Context, task: Task, options?: DriveOptions): Promise<Charge> =>
  drive(ctx, { task, owner: CHARGE_OWNER }, options);

interface Answered {
  decided: Decision;
  responseMs: number | undefined;
}

async function sent(
  ctx: Context,
  { charge, attempt, provider }: Task,
  material: CardMaterial,
  startedMs: number,
): Promise<Answered> {
  const leftMs = (): number => IN_BAND_MS - Math.round(monotonicMs() - startedMs);
  const left = leftMs();
  if (left < SHORTEST_CALL_MS) {
    return { decided: outOfTime(situationOf(ctx, charge, attempt, undefined)), responseMs: undefined };
  }
  const performed = await perform(ctx, charge, attempt, provider, material, Math.min(left, callTimeoutMs(attempt)));
  // Another provider is asked only while there is time to hear it.
  const isTimeLeft = leftMs() >= SHORTEST_FAILOVER_MS;
  const alternative = isTimeLeft ? await alternativeTo(ctx, charge, attempt, performed) : undefined;
  return {
    decided: performed.decide(situationOf(ctx, charge, attempt, alternative)),
    responseMs: performed.responseMs,
  };
}

const isFailover = ({ next }: Decision): boolean => next.do === "attempt" && next.provider !== undefined;

/** What the decision asks for on the same charge; without a task, the charge as it stands. */
async function nextOn<C>(
  ctx: Context,
  owner: Owner<C>,
  { charge, attempt, provider }: Task,
  planned: AttemptRow | undefined,
  { next }: Decision,
  material: CardMaterial,
): Promise<Task | { charge: Charge } | undefined> {
  switch (next.do) {
    case "nothing":
      return undefined;
    case "attempt":
      return planned && { do: "send", charge, attempt: planned, provider: next.provider ?? provider };
    case "resend": {
      if (next.afterMs > 0) await pause(next.afterMs);
      const reopened = await sendAgain(ctx, owner, charge, attempt);
      return reopened && { do: "send", charge, attempt: reopened, provider };
    }
    case "confirm":
      // A void or refund is done only when a following query shows it.
      return { do: "ask", charge, attempt: planned ?? attempt, provider };
    case "analyse": {
      const judged = await analyseFraud(ctx, charge, provider, material);
      return judged.attempt
        ? { do: "send", charge: judged.charge, attempt: judged.attempt, provider }
        : { charge: judged.charge };
    }
  }
}

/**
 * Opens again what provably never left. Between the decision and this, the worker may have been held up for longer
 * than its lease: whoever took over has sent it, or another attempt in its place.
 */
export const sendAgain = <C>(
  ctx: Context,
  owner: Owner<C>,
  charge: Charge,
  attempt: AttemptRow,
): Promise<AttemptRow | undefined> =>
  inTransaction(ctx, async (inside) => {
    await owner.hold(inside, charge);
    return reopenAttempt(inside, attempt.id);
  });

/** What a dead worker may have sent: its outcome is unknown, and asked for by the query schedule. */
export const interrupted = (ctx: Context, charge: Charge, attempt: AttemptRow): Decision =>
  undeterminedOutcome(
    situationOf(ctx, charge, attempt, undefined),
    { requestStatusReason: "interrupted" },
    { events: charge.row.eventVersion === 0 ? ["pending"] : [] },
  );

/** What a dead worker provably did not send: the newest call of the charge, decided to be sent once more. */
export function unsentAttempt({ attempts }: Charge): AttemptRow | undefined {
  const newest = attempts.find(({ kind }) => kind !== "notice");
  return newest?.state === "not_sent" ? newest : undefined;
}
