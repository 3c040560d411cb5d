/** Every event of the API (spec/contract.md 20.3): its object, its name, and what has happened when it is sent. */
export const EVENTS = {
  transaction: {
    pending: "The payment waits for its buyer, or for an answer of its provider.",
    pre_authorized: "The amount is held on the card and not captured.",
    authorized: "The money is captured or received.",
    failed: "The payment was refused.",
    canceled: "The Pix or boleto was closed unpaid.",
    voided: "The hold was released, or all of the money was given back.",
    partially_voided: "A part of the money was given back.",
    charged_back: "A chargeback took the money away.",
    dispute: "The buyer disputes the payment.",
    dispute_closed: "The dispute is over.",
    refund_pending: "A void or refund was sent and is not confirmed.",
    capture_pending: "A capture was sent and is not confirmed.",
    revert_void: "A void was undone: the charge is what it was before.",
    probe_void: "A hold that was found later was released.",
    extra_payment: "Money came twice or after the payment was over: it is kept apart from the charge's amounts.",
    extra_payment_returned: "Such money went back to its payer, by its provider or as people recorded it.",
  },
  session: {
    created: "The payment link was created.",
    paid: "The payment link is paid.",
    canceled: "The payment link was canceled.",
    voided: "The payment of the link was given back.",
    disabled: "The payment link is past its due date, or was set inactive.",
  },
  purchase: {
    pending: "The purchase waits for its cards: at first, and again when a person has resolved its review.",
    paid: "All cards of the purchase are captured.",
    failed: "The purchase was not paid, and nothing is held.",
    cancelled: "The purchase was voided.",
    pending_review: "The purchase needs a person: see its reason.",
  },
  seller: {
    pending: "The seller waits for its approval at a provider.",
    active: "The seller was approved at a provider.",
    partial: "The seller may receive, with restrictions.",
    inactive: "The seller was stopped at a provider.",
    blocked: "The seller was blocked at a provider.",
  },
  "seller.registration_review": {
    opened: "A review of the registration asks for documents or corrections.",
    submitted: "What the review asked for was sent.",
    approved: "The review ended well.",
    rejected: "The review ended with a refusal.",
    expired: "The review's time ran out.",
  },
  subscription: {
    created: "The subscription was created.",
    trial_started: "The trial began.",
    activated: "The first cycle was paid, or the subscription is active again.",
    updated: "The subscription was changed.",
    paused: "The subscription was paused.",
    resumed: "The subscription goes on.",
    unpaid: "All attempts to charge a cycle failed.",
    expired: "The subscription reached its end.",
    canceled: "The subscription was canceled.",
    cycle_failed: "An attempt to charge a cycle failed.",
  },
  payout: {
    pending: "The batch was made.",
    paid: "The batch was paid out.",
    failed: "The batch could not be paid out.",
    offset: "Nothing is sent: the balance goes to the next batch.",
    returned: "The bank gave back what was paid: it is available again.",
  },
  prepayment: {
    committed: "The prepayment was confirmed.",
    paid: "The money of the prepayment came.",
    expired: "The prepayment was not confirmed in time.",
  },
  flow: {
    activated: "The flow decides the payments of its merchants from now on.",
    archived: "The flow decides no payments any more.",
  },
  card: {
    active: "The card was validated.",
    failed: "The card was refused.",
  },
  monitor: {
    fired: "A monitor that tells webhooks found what it watches for.",
    recovered: "What the monitor watches is well again.",
  },
} as const;

export type EventObject = keyof typeof EVENTS;
/** `transaction.authorized` */
export type EventName = { [O in EventObject]: `${O}.${keyof (typeof EVENTS)[O] & string}` }[EventObject];

// Guarantee: made from the table that the type is made from.
export const EVENT_NAMES = Object.entries(EVENTS).flatMap(([object, events]) =>
  Object.keys(events).map((event) => `${object}.${event}`),
) as [EventName, ...EventName[]];

/** What a subscription or a filter may name besides single events. */
export const EVENT_GROUPS: readonly string[] = Object.keys(EVENTS).map((object) => `${object}.*`);

export const nameOf = ({ object, event }: { object: string; event: string }): string => `${object}.${event}`;

const KNOWN: ReadonlySet<string> = new Set(EVENT_NAMES);
export const isEventName = (name: string): name is EventName => KNOWN.has(name);
