export interface Poller {
  /** Now, or right after the round at work: a call is never lost. */
  poke(): void;
  /** Ends after the round at work. */
  stop(): Promise<void>;
}

interface PollerOptions {
  /** Answers in how many milliseconds it wants to be called again at the latest. */
  round(): Promise<number>;
  /** After a round that failed. */
  retryMs: number;
  onError(error: unknown): void;
}

/** Calls `round` whenever it is poked or its time has come, never twice at once. */
export function createPoller({ round, retryMs, onError }: PollerOptions): Poller {
  let stopped = false;
  let poked = false;
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> | undefined;

  const work = async () => {
    clearTimeout(timer);
    let delayMs = retryMs;
    do {
      poked = false;
      delayMs = await round().catch((thrown: unknown) => {
        onError(thrown);
        // A database that is away would otherwise be asked without a pause.
        poked = false;
        return retryMs;
      });
    } while (poked && !stopped);
    if (!stopped) timer = setTimeout(poke, delayMs);
  };

  const poke = () => {
    if (stopped) return;
    poked = true;
    working ??= work().finally(() => {
      working = undefined;
      if (poked) poke();
    });
  };

  return {
    poke,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await working;
    },
  };
}
