import { endOfSaoPauloDay, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { brandOf } from "@/lib/brazil/card-brand";
import { newId } from "@/lib/ids";
import { type Books, type Change, type Entry, openBooks } from "@/lib/testing/providers/kit/books";
import { openKeys } from "@/lib/testing/providers/kit/keys";
import { type MockReply, type MockRequest, type MockServer, startMock } from "@/lib/testing/providers/kit/server";
import { eventOf, keptOf, type Members, paymentOf, refundOf } from "@/lib/testing/providers/mercado-pago/objects";
import { mercadoPagoContract, operationOf } from "@/lib/testing/providers/mercado-pago/schema";
import { addSeconds, DAY_SECONDS, realNow } from "@/lib/time";

const HOLD_DAYS = 5;
const KEY_HOURS = 24;
const PIX_REFUND_DAYS = 90;
const FIRST_ID = 1_000_000_001;
const CENTS = 100;

export interface MercadoPagoEvent {
  account: string;
  entry: Entry;
  body: Members;
}

export interface MercadoPagoMock extends MockServer {
  books: Books;
  events: readonly MercadoPagoEvent[];
  clock: { now(): Date };
}

const membersOf = (body: unknown): Members => (typeof body === "object" && body !== null ? { ...body } : {});
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const cents = (value: unknown): number => Math.round(Number(value) * CENTS);

interface Asked extends MockRequest {
  account: string;
  id: string;
}
type Route = (request: Asked) => MockReply;

/** Mercado Pago on this machine: its tokens, its payments, its books, its notifications. */
export async function startMercadoPago({
  port = 0,
  now = realNow,
}: {
  port?: number;
  now?: () => Date;
} = {}): Promise<MercadoPagoMock> {
  const clock = { now };
  const events: MercadoPagoEvent[] = [];
  const keys = openKeys(KEY_HOURS);
  const books = openBooks({
    now: () => clock.now(),
    holdDays: HOLD_DAYS,
    tell(told) {
      events.push({ account: told.entry.account, entry: told.entry, body: eventOf(FIRST_ID + events.length, told) });
    },
  });
  const routes = routesOf(books, () => clock.now());

  function handle(request: MockRequest): MockReply {
    books.passTime();
    const account = textOf(request.headers.authorization).replace("Bearer ", "");
    if (account === "" || account.includes("revoked")) return refuse(401, "invalid access token");
    const run = (): MockReply => {
      const act = routes[operationOf(request)];
      return act ? act({ ...request, account, id: request.path.split("/")[3] ?? "" }) : refuse(404, "not found");
    };
    if (request.method === "GET") return run();
    const key = request.headers["x-idempotency-key"];
    if (key === undefined) return refuse(400, "Header X-Idempotency-Key can't be null");
    const content = [request.path, request.body];
    const reply = keys.once({ account, key, at: clock.now(), content }, run, () =>
      refuse(409, "key of another request"),
    );
    const entry = entryOf(request);
    if (reply.isSilent && entry?.outcome === "replay_differs") keys.forget((one) => one.startsWith(entry.reference));
    return reply;
  }

  const entryOf = (request: MockRequest): Entry | undefined => {
    const reference = textOf(membersOf(request.body).external_reference) || request.query.get("external_reference");
    const id = request.path.split("/")[3];
    return books.entries.find(
      (one) => one.id === id || (reference !== null && reference !== "" && one.reference === reference),
    );
  };

  return startMock(
    {
      handle,
      contract: mercadoPagoContract,
      about(request) {
        const { metadata, external_reference } = membersOf(request.body);
        const entry = entryOf(request);
        return {
          step: stepOf(request),
          charge: textOf(membersOf(metadata).charge) || (entry?.charge ?? ""),
          reference: textOf(external_reference) || (entry?.reference ?? ""),
        };
      },
      shown(request) {
        if (operationOf(request) === "POST /v1/card_tokens") return {};
        return membersOf(request.body);
      },
      trouble: (status, message) => ({ message, error: "trouble", status, cause: [] }),
      contradict: contradicted,
    },
    { books, events, clock },
    { port },
  );
}

/** Neither taken nor refused: it says both. */
function contradicted(reply: MockReply): MockReply {
  const body = membersOf(reply.body);
  return { ...reply, body: { ...body, id: 7, captured: body.captured !== true } };
}

const STEPS: Readonly<Record<string, string>> = {
  "POST /v1/card_tokens": "token",
  "POST /v1/payments": "create",
  "POST /v1/payments/id/refunds": "refund",
};
function stepOf(request: MockRequest): string {
  const { capture, status } = membersOf(request.body);
  if (request.method === "PUT") return capture === true ? "capture" : status === undefined ? "mark" : "cancel";
  return STEPS[operationOf(request)] ?? "query";
}

const refuse = (status: number, message: string): MockReply => ({
  status,
  body: { message, error: status === 404 ? "not_found" : "bad_request", status, cause: [] },
});

interface Token {
  number: string;
  name: string;
}

const METHODS: Readonly<Record<string, Entry["method"]>> = { pix: "pix", bolbradesco: "boleto" };

function routesOf(books: Books, now: () => Date): Readonly<Record<string, Route>> {
  const tokens = new Map<string, Token>();
  let made = 0;
  const known =
    (act: (entry: Entry, request: Asked) => MockReply): Route =>
    (request) => {
      const entry = books.find(request.account, request.id);
      return entry ? act(entry, request) : refuse(404, "Payment not found");
    };
  const changed = (change: Change, body: () => unknown): MockReply => {
    if (change.kind === "silent") return { status: 0, body: null, wasNotDone: true };
    if (change.kind === "done") return { status: 200, body: body(), ...(change.isSilent ? { isSilent: true } : {}) };
    if (change.why === "insufficient_balance") return refuse(400, "Insufficient money to refund the payment");
    if (change.why === "amount_exceeded") return refuse(400, "The amount is greater than what is left");
    return refuse(400, "The action requested is not valid for the current payment state");
  };
  return {
    "POST /v1/card_tokens": ({ body }) => {
      const { card_number, cardholder } = membersOf(body);
      const id = newId().replaceAll("-", "");
      tokens.set(id, { number: textOf(card_number), name: textOf(membersOf(cardholder).name) });
      return { status: 201, body: { id, status: "active" } };
    },
    "POST /v1/payments": ({ account, body }) => {
      const asked = membersOf(body);
      const wireMethod = textOf(asked.payment_method_id);
      const method = METHODS[wireMethod] ?? (wireMethod.startsWith("deb") ? "debit" : "credit");
      const until = typeof asked.date_of_expiration === "string" ? new Date(asked.date_of_expiration) : undefined;
      const token = tokens.get(textOf(asked.token));
      if (asked.token !== undefined && !token) return refuse(400, "Card Token not found");
      tokens.delete(textOf(asked.token));
      const entry = books.enter({
        id: String(FIRST_ID + made),
        account,
        reference: textOf(asked.external_reference),
        charge: textOf(membersOf(asked.metadata).charge),
        method,
        amount: cents(asked.transaction_amount),
        capture: asked.capture !== false,
        installments: typeof asked.installments === "number" ? asked.installments : 1,
        // No two payments are of one moment.
        createdAt: new Date(now().getTime() + (made % 1000)),
        kept: {
          wireMethod,
          metadata: membersOf(asked.metadata),
          isLive: account.includes("live"),
          ...(until ? { dueOn: saoPauloDay(until) } : {}),
        },
      });
      made += 1;
      if (until) {
        books.open(entry, method === "boleto" ? endOfSaoPauloDay(keptOf(entry).dueOn ?? "") : until);
        return { status: 201, body: paymentOf(entry) };
      }
      const { isSilent } = books.authorize(entry, { name: token?.name ?? "", brand: brandOf(token?.number ?? "") });
      return { status: 201, body: paymentOf(entry), ...(isSilent ? { isSilent } : {}) };
    },
    "GET /v1/payments/id": known((entry) => ({ status: 200, body: paymentOf(entry) })),
    "GET /v1/payments/search": ({ account, query }) => {
      const reference = query.get("external_reference");
      const found = books.entries.filter(
        (one) => one.account === account && (reference === null || one.reference === reference),
      );
      const results = (reference === null ? found.slice(-1) : found).map(paymentOf);
      return { status: 200, body: { paging: { total: found.length, limit: 30, offset: 0 }, results } };
    },
    "PUT /v1/payments/id": known((entry, { body }) => {
      const { metadata, capture, transaction_amount } = membersOf(body);
      if (metadata !== undefined) {
        keptOf(entry).metadata = membersOf(metadata);
        return { status: 200, body: paymentOf(entry) };
      }
      const change = capture === true ? books.capture(entry, cents(transaction_amount)) : books.cancel(entry);
      return changed(change, () => paymentOf(entry));
    }),
    "POST /v1/payments/id/refunds": known((entry, { body }) => {
      const isLate = now() > addSeconds(entry.payments[0]?.at ?? now(), PIX_REFUND_DAYS * DAY_SECONDS);
      if (entry.method === "boleto" || (entry.method === "pix" && isLate)) return refuse(400, "not refundable");
      made += 1;
      const change = books.refund(entry, cents(membersOf(body).amount), "", String(FIRST_ID + made));
      return changed(change, () => refundOf(entry, entry.refunds.at(-1) ?? NOTHING, entry.refunds.length - 1));
    }),
  };
}

const NOTHING = { id: "0", reference: "", amount: 0, status: "failed", at: new Date(0) } as const;
