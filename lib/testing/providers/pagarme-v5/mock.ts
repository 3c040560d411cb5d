import { endOfSaoPauloDay, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { brandOf } from "@/lib/brazil/card-brand";
import { newId } from "@/lib/ids";
import { type Books, type Change, type Entry, openBooks } from "@/lib/testing/providers/kit/books";
import { openKeys } from "@/lib/testing/providers/kit/keys";
import { type MockReply, type MockRequest, type MockServer, startMock } from "@/lib/testing/providers/kit/server";
import {
  chargeOf,
  eventOf,
  keptOf,
  orderOf,
  payablesOf,
  transactionsOf,
} from "@/lib/testing/providers/pagarme-v5/objects";
import {
  type Asked,
  type Members,
  membersOf,
  type Route,
  refuse,
  textOf,
} from "@/lib/testing/providers/pagarme-v5/route";
import { operationOf, PREFIX, pagarmeContract } from "@/lib/testing/providers/pagarme-v5/schema";
import { openSellers, type SellerBooks } from "@/lib/testing/providers/pagarme-v5/sellers";
import { addSeconds, DAY_SECONDS, realNow } from "@/lib/time";

const HOLD_DAYS = 5;
const KEY_HOURS = 24;
const PIX_REFUND_DAYS = 90;

export interface PagarmeEvent {
  account: string;
  entry: Entry;
  body: Members;
}

export interface PagarmeMock extends MockServer {
  books: Books;
  sellers: SellerBooks;
  events: readonly PagarmeEvent[];
  clock: { now(): Date };
}

const compactId = (): string => newId().replaceAll("-", "");

/** Pagar.me on this machine: its orders, its books, its sellers, its events. */
export async function startPagarme({
  port = 0,
  now = realNow,
}: {
  port?: number;
  now?: () => Date;
} = {}): Promise<PagarmeMock> {
  const clock = { now };
  const events: PagarmeEvent[] = [];
  const keys = openKeys(KEY_HOURS);
  const books = openBooks({
    now: () => clock.now(),
    holdDays: HOLD_DAYS,
    tell(told) {
      const body = eventOf(`hook_${compactId()}`, told);
      if (body) events.push({ account: told.entry.account, entry: told.entry, body });
    },
  });
  const sellers = openSellers(() => clock.now());
  const routes = routesOf(books, () => clock.now());

  function handle(request: MockRequest): MockReply {
    books.passTime();
    const account = accountOf(request);
    if (account === "" || account.includes("revoked"))
      return refuse(401, "Authorization has been denied for this request.");
    const run = (): MockReply => {
      const asked = { ...request, account, id: request.path.slice(PREFIX.length).split("/")[2] ?? "" };
      const act = sellers.routes[operationOf(request)] ?? routes[operationOf(request)];
      return act ? act(asked) : refuse(404, "Not found.");
    };
    if (request.method === "GET") return run();
    const key = request.headers["idempotency-key"];
    const content = [request.path, request.body];
    const reply = keys.once({ account, key, at: clock.now(), content }, run, () =>
      refuse(409, "The idempotency key was used with another request."),
    );
    const entry = entryOf(request);
    if (reply.isSilent && entry?.outcome === "replay_differs") keys.forget((one) => one.startsWith(entry.reference));
    return reply;
  }

  const entryOf = (request: MockRequest): Entry | undefined => {
    const id = request.path.slice(PREFIX.length).split("/")[2];
    const code = textOf(membersOf(request.body).code) || request.query.get("code");
    return books.entries.find((one) => one.id === id || (code !== null && code !== "" && one.reference === code));
  };

  return startMock(
    {
      handle,
      contract: pagarmeContract,
      about(request) {
        const { metadata, code } = membersOf(request.body);
        const entry = entryOf(request);
        const told = membersOf(metadata);
        return {
          step: stepOf(request),
          charge: textOf(told.charge) || (entry?.charge ?? textOf(code)),
          reference: textOf(told.reference) || (entry?.reference ?? textOf(code)),
        };
      },
      shown(request) {
        if (operationOf(request).includes("/recipients")) return {};
        const { payments, ...rest } = membersOf(request.body);
        return { ...rest, ...(Array.isArray(payments) ? { payments: payments.map(withoutCard) } : {}) };
      },
      trouble: (_, message) => ({ message }),
      contradict: contradicted,
    },
    { books, sellers, events, clock },
    { port },
  );
}

/** An order that failed though its payment did not, or the other way round; a charge of somebody else. */
function contradicted(reply: MockReply): MockReply {
  const body = membersOf(reply.body);
  if (!Array.isArray(body.charges)) return { ...reply, body: { ...body, id: "ch_of_somebody_else" } };
  return { ...reply, body: { ...body, status: body.status === "failed" ? "paid" : "failed" } };
}

const accountOf = ({ headers }: MockRequest): string =>
  Buffer.from(textOf(headers.authorization).replace("Basic ", ""), "base64").toString("utf8").replace(/:$/, "");

function withoutCard(payment: unknown): Members {
  const members = membersOf(payment);
  const method = textOf(members.payment_method);
  const { card, ...rest } = membersOf(members[method]);
  return { ...members, [method]: { ...rest, ...(card ? { card: "left out" } : {}) } };
}

const STEPS: Readonly<Record<string, string>> = {
  "POST /orders": "create",
  "POST /charges/id/capture": "capture",
  "DELETE /charges/id": "cancel",
  "PATCH /charges/id/metadata": "mark",
  "GET /recipients/id": "recipient query",
  "GET /recipients": "connect",
  "POST /recipients": "recipient",
};
const stepOf = (request: MockRequest): string =>
  STEPS[operationOf(request)] ?? (request.method === "GET" ? "query" : "recipient");

const METHODS: Readonly<Record<string, Entry["method"]>> = {
  credit_card: "credit",
  debit_card: "debit",
  voucher: "debit",
  pix: "pix",
  boleto: "boleto",
};

function routesOf(books: Books, now: () => Date): Readonly<Record<string, Route>> {
  const known =
    (act: (entry: Entry, request: Asked) => MockReply): Route =>
    (request) => {
      const entry = books.find(request.account, request.id);
      return entry ? act(entry, request) : refuse(404, "Charge not found.");
    };
  const changed = (entry: Entry, change: Change): MockReply => {
    if (change.kind === "silent") return { status: 0, body: null, wasNotDone: true };
    if (change.kind === "done") {
      return { status: 200, body: chargeOf(entry), ...(change.isSilent ? { isSilent: true } : {}) };
    }
    if (change.why === "insufficient_balance") return refuse(412, "Saldo insuficiente para realizar o estorno.");
    return refuse(412, "This charge can not be changed.");
  };
  return {
    "POST /orders": ({ account, body }) => newOrder(books, account, membersOf(body), now()),
    "GET /orders": ({ account, query }) => {
      const found = books.entries.filter((one) => one.account === account && one.reference === query.get("code"));
      return { status: 200, body: { data: found.map(orderOf).reverse(), paging: { total: found.length } } };
    },
    "GET /charges/id": known((entry) => ({ status: 200, body: chargeOf(entry) })),
    "GET /charges/id/transactions": known((entry) => {
      const data = transactionsOf(entry).reverse();
      return { status: 200, body: { data, paging: { total: data.length } } };
    }),
    "PATCH /charges/id/metadata": known((entry, { body }) => {
      const given = Object.entries(membersOf(membersOf(body).metadata)).map(([name, one]) => [name, textOf(one)]);
      keptOf(entry).metadata = Object.fromEntries(given);
      return { status: 200, body: chargeOf(entry) };
    }),
    "POST /charges/id/capture": known((entry, { body }) =>
      changed(entry, books.capture(entry, Number(membersOf(body).amount))),
    ),
    "DELETE /charges/id": known((entry, { body }) => {
      const { amount, operation_reference } = membersOf(body);
      if (entry.state === "captured") {
        const isLate = now() > addSeconds(entry.payments[0]?.at ?? now(), PIX_REFUND_DAYS * DAY_SECONDS);
        if (entry.method === "boleto" || (entry.method === "pix" && isLate))
          return refuse(412, "This charge can not be canceled.");
        const asked = amount === undefined ? entry.captured : Number(amount);
        return changed(entry, books.refund(entry, asked, textOf(operation_reference), compactId()));
      }
      keptOf(entry).canceledAt ??= now();
      return changed(entry, books.cancel(entry));
    }),
    "GET /payables": ({ account, query }) => {
      const data = books.entries
        .filter((one) => one.account === account && one.id === query.get("charge_id"))
        .flatMap(payablesOf);
      return { status: 200, body: { data, paging: {} } };
    },
  };
}

function newOrder(books: Books, account: string, body: Members, now: Date): MockReply {
  const payment = membersOf(Array.isArray(body.payments) ? body.payments[0] : undefined);
  const wireMethod = textOf(payment.payment_method);
  const details = membersOf(payment[wireMethod]);
  const metadata = Object.fromEntries(
    Object.entries(membersOf(payment.metadata)).map(([name, one]) => [name, textOf(one)]),
  );
  const dueAt = typeof details.due_at === "string" ? new Date(details.due_at) : undefined;
  const method = METHODS[wireMethod] ?? "credit";
  const entry = books.enter({
    id: `ch_${compactId()}`,
    account,
    reference: textOf(body.code),
    charge: metadata.charge ?? "",
    method,
    amount: Number(payment.amount),
    capture: wireMethod !== "credit_card" || details.operation_type !== "auth_only",
    // No two orders are of one moment.
    createdAt: new Date(now.getTime() + (books.entries.length % 1000)),
    installments: typeof details.installments === "number" ? details.installments : 1,
    kept: {
      orderId: `or_${compactId()}`,
      method: wireMethod,
      metadata,
      ...(details.statement_descriptor ? { descriptor: details.statement_descriptor } : {}),
      ...(payment.split ? { split: payment.split } : {}),
      ...(dueAt ? { dueOn: saoPauloDay(dueAt) } : {}),
    },
  });
  if (method === "pix") {
    books.open(entry, addSeconds(now, Number(details.expires_in)));
    return { status: 200, body: orderOf(entry) };
  }
  if (method === "boleto") {
    books.open(entry, endOfSaoPauloDay(keptOf(entry).dueOn ?? ""));
    return { status: 200, body: orderOf(entry) };
  }
  const card = membersOf(details.card);
  const { isSilent } = books.authorize(entry, {
    name: textOf(card.holder_name),
    brand: brandOf(textOf(card.number)),
  });
  return { status: 200, body: orderOf(entry), ...(isSilent ? { isSilent } : {}) };
}
