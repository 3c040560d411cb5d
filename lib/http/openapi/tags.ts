/** The areas of the API in the order they are read; an area that is not named here stands at the end. */
const AREAS: Readonly<Record<string, string>> = {
  "Client keys":
    "Public keys for code that runs at the buyer's side: each holds the scopes it was given and nothing else, until it expires or is revoked.",
  Tokens: "Card data goes in, a token that works once comes out. Numbers are never answered again.",
  Cards: "Saved cards of the account, checked by an authorization of zero where the provider can.",
  Customers: "Buyers, their documents and addresses, and the cards that belong to them.",
  Charges:
    "One payment by card, Pix, boleto or wallet: created, captured, voided or refunded, and listed with everything the provider said.",
  Sessions: "Payment links: an order that a buyer pays on the hosted page.",
  Purchases: "One order on two or three cards: all of them are paid, or none.",
  Merchants: "Sub-accounts of the account; each holds its own payment providers.",
  Providers: "A merchant's accounts at acquirers and banks, tried by priority.",
  "Platform fee": "What a merchant keeps of its split charges, by payment method and band of instalments.",
  Flows: "Rules that choose the provider of a payment.",
  Sellers: "Receivers of split payments, with their documents and registration reviews.",
  Vendors: "Establishments on whose behalf a facilitator sells.",
  Payouts: "Balances, batches and orders of what is paid out.",
  Prepayment: "Receivables paid before their date.",
  Subscriptions: "Charges that repeat.",
  "Dry runs": "What a call would do, decided by the code that does it, and nothing written.",
  Explanations: "The rows, prices and calls behind a figure.",
  Reports: "Files of payments, by filter and column.",
  Webhooks: "Where events are sent, what was delivered, and how to have it again.",
  Events: "What happened, newest first.",
  Settings: "How the hosted pages look.",
  Invariants: "The rules that money keeps, recomputed from the rows themselves.",
  Sandbox: "The simulator of a sandbox account: its clock, its outcomes, payments by a buyer who does not exist.",
};

export function describedTags(used: Iterable<string>): { name: string; description: string }[] {
  const order = Object.keys(AREAS);
  const place = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  return [...new Set(used)]
    .sort((a, b) => place(a) - place(b) || (a < b ? -1 : 1))
    .map((name) => ({ name, description: AREAS[name] ?? name }));
}
