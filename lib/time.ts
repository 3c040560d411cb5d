/** The one place where the process reads the wall clock. Everything else is handed an instant or an account's clock. */
export const realNow = (): Date => new Date();

/** Milliseconds on a clock that never goes back; for measuring, never for storing. */
export const monotonicMs = (): number => performance.now();

/** An account's clock: live accounts run on real time, a sandbox account on its test clock (spec/sandbox.md section 7). */
export interface AccountClock {
  readonly offsetSeconds: number;
  readonly frozenAt: Date | null;
}

export const REAL_CLOCK: AccountClock = { offsetSeconds: 0, frozenAt: null };

export const nowOn = (clock: AccountClock): Date =>
  clock.frozenAt ?? new Date(realNow().getTime() + clock.offsetSeconds * 1000);

/** A clock that tells something else for so long is a moved one. */
const PRESENT_SECONDS = 60;

/** Whether the clock tells real time: it runs, and nobody has moved it. */
export const isOnRealTime = ({ offsetSeconds, frozenAt }: AccountClock): boolean =>
  frozenAt === null && Math.abs(offsetSeconds) < PRESENT_SECONDS;

export const addSeconds = (at: Date, seconds: number): Date => new Date(at.getTime() + seconds * 1000);

export const DAY_SECONDS = 86_400;
