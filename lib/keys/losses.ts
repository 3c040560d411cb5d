import type { GeneratedSecret } from "@/lib/env";
import type { Use } from "@/lib/keys/columns";

const TRILHO_SECRET = [
  "recovery codes of the dashboard no longer work: people make new ones",
  "a request repeated with an idempotency key of before is answered 409 instead of with its first answer; nothing is charged twice",
  "open checkouts, 3-D Secure returns, captchas and account exports begun before are started again by reloading",
  "the proof of each account is signed by another key: whoever noted its public key notes the new one",
  "the simulator answers repeats of its own calls as new ones; cards it was told of before are other cards to it",
];

const AUTH_SECRET = [
  "everybody signs in to the dashboard again",
  "sign-in attempts of the last hour are no longer counted",
];

/** What goes with a secret that is replaced by another one, a sentence a line. */
export function lossesOf(name: GeneratedSecret, unopened: readonly Use[]): readonly string[] {
  if (name === "TRILHO_SECRET") return TRILHO_SECRET;
  if (name === "AUTH_SECRET") return AUTH_SECRET;
  return unopened.map(({ rows, column }) => `${rows} ${column.what}: ${column.loss}`);
}
