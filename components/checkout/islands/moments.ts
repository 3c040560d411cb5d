const MINUTE = 60;
const EVERY_MINUTE_FROM = 5 * MINUTE;
const HALF = 30;

/** Seconds left at which the rest of a code's life is read out: every three minutes, from five on each one, at half a one. */
export const isSpoken = (rest: number): boolean =>
  rest === HALF || (rest > 0 && rest % MINUTE === 0 && (rest <= EVERY_MINUTE_FROM || rest % (3 * MINUTE) === 0));

const MOST_MINUTES = 60;
/** What is said needs its words from the server; before the last hour nothing is. */
export const SPOKEN_MINUTES: readonly number[] = Array.from({ length: MOST_MINUTES }, (_, index) => index + 1).filter(
  (minutes) => isSpoken(minutes * MINUTE),
);
export const SPOKEN_SECONDS: readonly number[] = [HALF];
