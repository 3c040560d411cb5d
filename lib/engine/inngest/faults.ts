/** Why Inngest does not do its part, as it is kept; words for it stand with who tells of it. */
export const FAULTS = ["unregistered", "signing_key", "event_key", "unreachable", "refused", "silent"] as const;
export type Fault = (typeof FAULTS)[number];

/** The server did not take what it was sent. */
export class EngineFault extends Error {
  override readonly name = "EngineFault";
  constructor(
    readonly fault: Fault,
    options?: ErrorOptions,
  ) {
    super(FAULT_WORDS[fault], options);
  }
}

/** For the log, the readiness and the doctor. */
export const FAULT_WORDS: Readonly<Record<Fault, string>> = {
  unregistered: "the functions are not registered yet",
  signing_key: "signing key refused",
  event_key: "event key refused",
  unreachable: "the server does not answer",
  refused: "the server refuses what it is sent",
  silent: "no call",
};

const KEY_REFUSED: readonly (number | undefined)[] = [401, 403];

/** Without a status there was no answer. */
export function faultOfStatus(status: number | undefined, key: "event_key" | "signing_key"): Fault {
  if (status === undefined) return "unreachable";
  return KEY_REFUSED.includes(status) ? key : "refused";
}
