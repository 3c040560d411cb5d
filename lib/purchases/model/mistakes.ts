/** Faults seeded to see that the model would find them, none in the product, and the invariant each of them breaks. */
export const SEEDED_MISTAKES = {
  givesUpOnUnknown: /M16/,
  failsOverOnUnknown: /M8/,
  sendsAuthorizationAgain: /M8/,
  capturesCardByCard: /M9/,
  goesOnAfterRefusedCapture: /M9|M5/,
  isPaidAfterFirstCapture: /M5|M16/,
  failsBeforeVoidsAreConfirmed: /M16|L4/,
  believesFirstNotFound: /M16/,
  believesVoidWithoutAsking: /M16/,
  believesStaleAnswers: /is not a row|M\d|L\d|P\d/,
  leavesOutP8: /L2/,
  leavesOutRollback: /L2/,
  callsRollbackFailed: /M6/,
  goesOnAfterMismatch: /M15/,
  acceptsSecondOperation: /L3/,
  nobodySweeps: /stuck/,
  keepsDisputeWonAfterCancel: /M7/,
  keepsFailedRefundAfterCancel: /M7/,
} as const;

export type Mistake = keyof typeof SEEDED_MISTAKES;
export type Mistakes = Readonly<Partial<Record<Mistake, boolean>>>;
