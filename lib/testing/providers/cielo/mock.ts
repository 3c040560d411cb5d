import { endOfSaoPauloDay } from "@/lib/brazil/bank-calendar";
import { newId } from "@/lib/ids";
import { eventOf, type Kept, type Members, type Product, saleOf } from "@/lib/testing/providers/cielo/objects";
import { contractOf, operationOf } from "@/lib/testing/providers/cielo/schema";
import { type Books, type Change, type Entry, openBooks } from "@/lib/testing/providers/kit/books";
import { type MockReply, type MockRequest, type MockServer, startMock } from "@/lib/testing/providers/kit/server";
import { addSeconds, DAY_SECONDS, realNow } from "@/lib/time";

const HOLD_DAYS = 15;
const PIX_REFUND_DAYS = 90;
const SCHEDULED = 8;

export interface CieloEvent {
  account: string;
  entry: Entry;
  body: Members;
}

export interface CieloMock extends MockServer {
  books: Books;
  events: readonly CieloEvent[];
  clock: { now(): Date };
  /** How cards behave, by number: a holder's name is cut where it is sent. */
  cards: Map<string, string>;
}

const membersOf = (body: unknown): Members => (typeof body === "object" && body !== null ? { ...body } : {});
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const numberOf = (value: unknown): number => (typeof value === "number" ? value : 0);

interface Asked extends MockRequest {
  account: string;
  id: string;
}
type Route = (request: Asked) => MockReply;

/** Cielo or Braspag on this machine: orders, payments, books, notifications; no keys. */
export async function startCielo({
  product = "CIELO",
  port = 0,
  now = realNow,
}: {
  product?: Product;
  port?: number;
  now?: () => Date;
} = {}): Promise<CieloMock> {
  const clock = { now };
  const events: CieloEvent[] = [];
  const cards = new Map<string, string>();
  const books = openBooks({
    now: () => clock.now(),
    holdDays: HOLD_DAYS,
    tell(told) {
      events.push({ account: told.entry.account, entry: told.entry, body: eventOf(told) });
    },
  });
  const routes = routesOf(product, books, cards, () => clock.now());

  const entryOf = ({ path, body, query }: MockRequest): Entry | undefined => {
    const reference = textOf(membersOf(body).MerchantOrderId) || query.get("merchantOrderId");
    const id = path.split("/")[3];
    return books.entries.find((one) => one.id === id || one.reference === reference);
  };

  return startMock(
    {
      handle(request) {
        books.passTime();
        const { merchantid = "", merchantkey = "" } = request.headers;
        const account = `${merchantid} ${merchantkey}`;
        if (merchantid === "" || account.includes("revoked")) return refuse(401, 132, "MerchantKey is invalid");
        const act = routes[operationOf(product, request)];
        return act ? act({ ...request, account, id: request.path.split("/")[3] ?? "" }) : refuse(404, 0, "not found");
      },
      contract: contractOf(product),
      about(request) {
        const entry = entryOf(request);
        return {
          step: stepOf(product, request),
          charge: request.headers.requestid ?? entry?.charge ?? "",
          reference: textOf(membersOf(request.body).MerchantOrderId) || (entry?.reference ?? ""),
        };
      },
      shown: ({ body }) => withoutCard(membersOf(body)),
      trouble: (status, Message) => [{ Code: status, Message }],
      contradict: contradicted,
    },
    { books, events, clock, cards },
    { port },
  );
}

function withoutCard(body: Members): Members {
  const { Card: _card, CardNumber: _number, SecurityCode: _code, ...rest } = body;
  const { CreditCard, DebitCard, ...payment } = membersOf(body.Payment);
  const { CardNumber: _pan, SecurityCode: _cvv, ...card } = membersOf(DebitCard ?? CreditCard);
  return body.Payment ? { ...rest, Payment: { ...payment, [DebitCard ? "DebitCard" : "CreditCard"]: card } } : rest;
}

/** Neither taken nor refused: it says both. */
function contradicted(reply: MockReply): MockReply {
  const body = membersOf(reply.body);
  if (!body.Payment || Array.isArray(body.Payment)) return { ...reply, body: { ...body, ReasonCode: 98 } };
  const payment = membersOf(body.Payment);
  const CapturedAmount = payment.Status === 2 ? 0 : 1;
  return { ...reply, body: { ...body, Payment: { ...payment, PaymentId: newId(), CapturedAmount } } };
}

const STEPS: Readonly<Record<string, string>> = {
  "POST sales": "create",
  "POST zeroauth": "zero_auth",
  "PUT sales/id/capture": "capture",
};
function stepOf(product: Product, request: MockRequest): string {
  const name = operationOf(product, request);
  if (name === "PUT sales/id/void") return request.query.has("amount") ? "refund" : "void";
  return STEPS[name] ?? "query";
}

const refuse = (status: number, Code: number, Message: string): MockReply => ({ status, body: [{ Code, Message }] });

const METHODS: Readonly<Record<string, Entry["method"]>> = { Pix: "pix", Boleto: "boleto", DebitCard: "debit" };
const NETWORKS: Readonly<Record<string, string>> = { Master: "mastercard" };
const networkOf = (brand: string): string => NETWORKS[brand] ?? brand.toLowerCase();

function routesOf(
  product: Product,
  books: Books,
  cards: ReadonlyMap<string, string>,
  now: () => Date,
): Readonly<Record<string, Route>> {
  const known =
    (act: (entry: Entry, request: Asked) => MockReply): Route =>
    (request) => {
      const entry = books.find(request.account, request.id);
      return entry ? act(entry, request) : refuse(404, 307, "Transaction not found");
    };
  const changed = (entry: Entry, change: Change, code: number): MockReply => {
    if (change.kind === "silent") return { status: 0, body: null, wasNotDone: true };
    if (change.kind === "done") {
      const isLater = change.refund?.status === "pending" || (entry.method === "pix" && entry.state === "canceled");
      const body = answerOf(entry, "0", isLater ? SCHEDULED : 0);
      return { status: 200, body, ...(change.isSilent ? { isSilent: true } : {}) };
    }
    if (change.why === "insufficient_balance") return { status: 200, body: answerOf(entry, "72", 0) };
    if (change.why === "amount_exceeded") return { status: 200, body: answerOf(entry, "102", 0) };
    return refuse(400, code, "Transaction not available");
  };
  const enter = (account: string, body: Members, charge: string, kept: Partial<Kept>): Entry => {
    const payment = membersOf(body.Payment);
    return books.enter({
      id: newId(),
      account,
      reference: textOf(body.MerchantOrderId),
      charge,
      method: METHODS[textOf(payment.Type)] ?? "credit",
      amount: numberOf(payment.Amount),
      capture: payment.Capture === true,
      installments: numberOf(payment.Installments) || 1,
      kept: { product, brand: "", provider: textOf(payment.Provider), recurrent: false, ...kept },
    });
  };
  return {
    "POST sales": ({ account, body, headers }) => {
      const asked = membersOf(body);
      const payment = membersOf(asked.Payment);
      const charge = headers.requestid ?? "";
      if (payment.Type === "Pix") {
        const life = numberOf(membersOf(payment.QrCode).Expiration) || numberOf(payment.QrCodeExpiration);
        const entry = enter(account, asked, charge, {});
        books.open(entry, addSeconds(now(), life));
        return { status: 201, body: saleOf(entry, true) };
      }
      if (payment.Type === "Boleto") {
        const dueOn = textOf(payment.ExpirationDate);
        const entry = enter(account, asked, charge, { dueOn });
        books.open(entry, endOfSaoPauloDay(dueOn));
        return { status: 201, body: saleOf(entry, true) };
      }
      const card = membersOf(payment.DebitCard ?? payment.CreditCard);
      const brand = textOf(card.Brand);
      const entry = enter(account, asked, charge, {
        brand,
        recurrent: card.CardOnFile !== undefined,
      });
      const name = cards.get(textOf(card.CardNumber)) ?? textOf(card.Holder);
      const { isSilent } = books.authorize(entry, { name, brand: networkOf(brand) });
      return { status: 201, body: saleOf(entry, true), ...(isSilent ? { isSilent } : {}) };
    },
    "GET sales": ({ account, query }) => {
      const found = books.entries.filter(
        (one) => one.account === account && one.reference === query.get("merchantOrderId"),
      );
      if (found.length === 0) return refuse(404, 318, "No transaction found");
      const listed = found.map(({ id }) => ({ PaymentId: id, ReceveidDate: "2026-11-24T12:00:00.42" }));
      return { status: 200, body: product === "CIELO" ? { Payment: listed } : { Payments: listed } };
    },
    "GET sales/id": known((entry) => ({ status: 200, body: saleOf(entry) })),
    "PUT sales/id/capture": known((entry, { query }) =>
      changed(entry, books.capture(entry, Number(query.get("amount") ?? entry.held)), 308),
    ),
    "PUT sales/id/void": known((entry, { query }) => {
      const amount = query.get("amount");
      if (amount === null) return changed(entry, books.cancel(entry), 309);
      const end = addSeconds(entry.payments[0]?.at ?? now(), PIX_REFUND_DAYS * DAY_SECONDS);
      if (entry.method === "boleto" || now() > end) return refuse(400, 312, "Transaction not available to refund");
      return changed(entry, books.refund(entry, Number(amount), "", newId()), 312);
    }),
    "POST zeroauth": ({ body }) => {
      const asked = membersOf(body);
      const card = asked.Card ? membersOf(asked.Card) : asked;
      const isValid = !(cards.get(textOf(card.CardNumber)) ?? textOf(card.Holder)).startsWith("decline");
      const code = isValid ? "00" : "57";
      const words = isValid ? "Transacao autorizada" : "Autorizacao negada";
      return product === "CIELO"
        ? {
            status: 200,
            body: { Valid: isValid, ReturnCode: code, ReturnMessage: words, IssuerTransactionId: "580027442382078" },
          }
        : {
            status: 200,
            body: { Status: isValid ? 1 : 0, ProviderReturnCode: code, ProviderReturnMessage: words },
          };
    },
  };
}

const answerOf = (entry: Entry, ReturnCode: string, ReasonCode: number): Members => ({
  Status: membersOf(saleOf(entry).Payment).Status,
  ReasonCode,
  ReasonMessage: ReasonCode === SCHEDULED ? "Scheduled" : "Successful",
  ReturnCode,
  ReturnMessage: "",
  Links: [],
});
