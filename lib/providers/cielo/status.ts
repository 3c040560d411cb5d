/** The one list of states that both products have. */
export const STATUS = {
  notFinished: 0,
  authorized: 1,
  paid: 2,
  denied: 3,
  voided: 10,
  refunded: 11,
  pending: 12,
  aborted: 13,
  scheduled: 20,
} as const;
