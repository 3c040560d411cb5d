import { addDays, endOfSaoPauloDay, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { brandOf } from "@/lib/brazil/card-brand";
import { newId } from "@/lib/ids";
import { type Books, type Change, type Entry, openBooks } from "@/lib/testing/providers/kit/books";
import { type Contract, openContract, specText, withNulls } from "@/lib/testing/providers/kit/contract";
import { openKeys } from "@/lib/testing/providers/kit/keys";
import { type MockReply, type MockRequest, type MockServer, startMock } from "@/lib/testing/providers/kit/server";
import { disputesOf, errorOf, eventOf, intentOf, keptOf, refundOf } from "@/lib/testing/providers/stripe/objects";
import { realNow } from "@/lib/time";

const HOLD_DAYS = 7;
const KEY_HOURS = 24;
const FORM = "application/x-www-form-urlencoded";

export interface StripeEvent {
  account: string;
  entry: Entry;
  body: Record<string, unknown>;
}

export interface StripeMock extends MockServer {
  books: Books;
  events: readonly StripeEvent[];
  contract: Contract;
  /** The provider's own clock. */
  clock: { now(): Date };
}

type Members = Record<string, unknown>;
const membersOf = (body: unknown): Members => (typeof body === "object" && body !== null ? { ...body } : {});
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/**
 * The document as it is read. Two things it lacks: the card of `payment_method_data`, which is that of
 * `/v1/payment_methods`, and the list of disputes, which the full document has.
 */
export function stripeContract(): Contract {
  // Guarantee: the file is the document of which this is the form; its digest is checked.
  const document = withNulls(JSON.parse(specText("stripe/payments-subset-2023-08-16.json"))) as {
    paths: Record<string, Record<string, Members>>;
    components: { schemas: Members };
  };
  const bodyMember = (path: string, ...names: string[]): Members =>
    inside(document.paths, path, "post", "requestBody", "content", FORM, "schema", "properties", ...names);
  const card = bodyMember("/v1/payment_methods", "card");
  for (const path of ["/v1/payment_intents", "/v1/payment_intents/{intent}/confirm"]) {
    Object.assign(bodyMember(path, "payment_method_data", "properties"), { card });
    const type = bodyMember(path, "payment_method_data", "properties", "type");
    Object.assign(type, { enum: [...(Array.isArray(type.enum) ? type.enum : []), "card"] });
  }
  const query = (...names: string[]) => names.map((name) => ({ in: "query", name }));
  document.paths["/v1/disputes"] = {
    get: {
      parameters: query("charge", "created", "ending_before", "expand", "limit", "payment_intent", "starting_after"),
      responses: {
        200: {
          content: {
            "application/json": {
              schema: {
                type: "object",
                required: ["data", "has_more", "object", "url"],
                properties: { data: { type: "array", items: { $ref: "#/components/schemas/dispute" } } },
              },
            },
          },
        },
      },
    },
  };
  return openContract({ document, dialect: "3.0", media: FORM });
}

const inside = (node: Members, ...names: string[]): Members =>
  // Guarantee: the document has these members, or a test of the contract fails at once.
  names.reduce((at, name) => at[name] as Members, node);

/** Stripe on this machine: its document, its books, its events. */
export async function startStripe({
  port = 0,
  now = realNow,
}: {
  port?: number;
  now?: () => Date;
} = {}): Promise<StripeMock> {
  const contract = stripeContract();
  const clock = { now };
  const events: StripeEvent[] = [];
  const keys = openKeys(KEY_HOURS);
  const books = openBooks({
    now: () => clock.now(),
    holdDays: HOLD_DAYS,
    tell(told) {
      const body = eventOf(`evt_${compactId()}`, told);
      if (body) events.push({ account: told.entry.account, entry: told.entry, body });
    },
  });
  // Compiled before the first call waits for it.
  contract.answerBreaches({ method: "GET", path: "/v1/payment_intents/pi_1" }, 200, {});
  const routes = routesOf(books, () => clock.now());

  function handle(request: MockRequest): MockReply {
    books.passTime();
    const account = textOf(request.headers.authorization).replace("Bearer ", "");
    if (account === "" || account.includes("revoked")) {
      return refuse(401, {
        type: "invalid_request_error",
        code: "api_key_expired",
        message: `Expired key: ${account}`,
      });
    }
    const run = () => route({ ...request, account });
    if (request.method === "GET") return run();
    const asked = {
      account,
      key: request.headers["idempotency-key"],
      at: clock.now(),
      content: [request.path, request.body],
    };
    const reply = keys.once(asked, run, () =>
      refuse(400, {
        type: "idempotency_error",
        message: "Keys for idempotent requests can only be used with the same parameters.",
      }),
    );
    const entry = books.find(account, request.path.split("/")[3] ?? "");
    if (reply.isSilent && entry?.outcome === "replay_differs") keys.forget((key) => key.startsWith(entry.reference));
    return reply;
  }

  function route(request: Asked): MockReply {
    const [, , resource = "", id, action = ""] = request.path.split("/");
    const act = routes[`${request.method} ${resource}${id === undefined ? "" : "/id"}${action && `/${action}`}`];
    return act
      ? act(request, id ?? "")
      : refuse(404, { type: "invalid_request_error", message: "Unrecognized request URL" });
  }

  const ofPath = ({ path, headers }: MockRequest): Entry | undefined =>
    books.find(textOf(headers.authorization).replace("Bearer ", ""), path.split("/")[3] ?? "");

  return startMock(
    {
      handle,
      contract,
      about(request) {
        const body = membersOf(request.body);
        const entry = ofPath(request) ?? books.entries.find(({ id }) => id === body.payment_intent);
        const metadata = membersOf(body.metadata);
        return {
          step: stepOf(request),
          charge: textOf(metadata.charge) || (entry?.charge ?? ""),
          reference: textOf(metadata.reference) || (entry?.reference ?? ""),
        };
      },
      shown(request) {
        const { payment_method_data, ...rest } = membersOf(request.body);
        const { card, ...method } = membersOf(payment_method_data);
        return {
          ...rest,
          ...(payment_method_data ? { payment_method_data: { ...method, ...(card ? { card: "left out" } : {}) } } : {}),
        };
      },
      trouble: (_, message) => ({ error: { type: "api_error", message } }),
      contradict: (reply) => ({ ...reply, body: { ...membersOf(reply.body), id: "pi_of_somebody_else" } }),
    },
    { books, events, contract, clock },
    { port },
  );
}

const compactId = (): string => newId().replaceAll("-", "");

function stepOf({ method, path }: MockRequest): string {
  const [, , resource = "", , action] = path.split("/");
  if (method === "GET") return path.split("/").length > 3 || resource !== "payment_intents" ? "query" : "list";
  return action ?? (resource === "refunds" ? "refund" : "create");
}

const refuse = (status: number, error: Members): MockReply => ({ status, body: { error } });
const missing = (what: string): MockReply =>
  refuse(404, { type: "invalid_request_error", code: "resource_missing", message: `No such ${what}` });

interface Asked extends MockRequest {
  account: string;
}
type Route = (request: Asked, id: string) => MockReply;

function routesOf(books: Books, now: () => Date): Readonly<Record<string, Route>> {
  const known =
    (act: (entry: Entry, body: Members, request: Asked) => MockReply): Route =>
    (request, id) => {
      const entry = books.find(request.account, id);
      return entry ? act(entry, membersOf(request.body), request) : missing("payment_intent");
    };
  const unexpected = (entry: Entry): MockReply =>
    refuse(400, {
      type: "invalid_request_error",
      code: "payment_intent_unexpected_state",
      message: "This PaymentIntent's status does not allow it.",
      payment_intent: intentOf(entry),
    });
  const changed = (entry: Entry, change: Change, done: () => unknown): MockReply => {
    if (change.kind === "silent") return { status: 0, body: null, wasNotDone: true };
    if (change.kind === "done") return { status: 200, body: done(), ...(change.isSilent ? { isSilent: true } : {}) };
    if (change.why === "invalid_state") return unexpected(entry);
    const code = change.why === "insufficient_balance" ? "balance_insufficient" : "amount_too_large";
    return refuse(400, { type: "invalid_request_error", code, message: change.why });
  };
  return {
    "POST payment_intents"(request) {
      const body = membersOf(request.body);
      const metadata = Object.fromEntries(
        Object.entries(membersOf(body.metadata)).map(([name, one]) => [name, textOf(one)]),
      );
      const types = Array.isArray(body.payment_method_types) ? body.payment_method_types : [];
      const entry = books.enter({
        id: `pi_${compactId()}`,
        account: request.account,
        reference: metadata.reference ?? "",
        charge: metadata.charge ?? "",
        method: types.includes("boleto") ? "boleto" : "credit",
        amount: Number(body.amount),
        currency: textOf(body.currency).toUpperCase(),
        capture: body.capture_method !== "manual",
        kept: { metadata, isLive: request.account.includes("_live_") },
      });
      return { status: 200, body: intentOf(entry) };
    },
    "POST payment_intents/id/confirm": known((entry, body) => {
      if (entry.state !== "created") return unexpected(entry);
      const data = membersOf(body.payment_method_data);
      const billing = membersOf(data.billing_details);
      if (entry.method === "boleto") return openSlip(books, entry, body, now());
      const card = membersOf(data.card);
      Object.assign(keptOf(entry), { hasCvv: card.cvc !== undefined });
      const { isSilent, isDeclined } = books.authorize(entry, {
        name: textOf(billing.name),
        brand: brandOf(textOf(card.number)),
      });
      if (!isDeclined) return { status: 200, body: intentOf(entry, true), ...(isSilent ? { isSilent } : {}) };
      return refuse(402, { ...errorOf(entry), payment_intent: intentOf(entry) });
    }),
    "POST payment_intents/id/capture": known((entry, body) =>
      changed(entry, books.capture(entry, Number(body.amount_to_capture ?? entry.held)), () => intentOf(entry)),
    ),
    "POST payment_intents/id/cancel": known((entry) => changed(entry, books.cancel(entry), () => intentOf(entry))),
    "GET payment_intents/id": known((entry) => ({ status: 200, body: intentOf(entry, true) })),
    "GET payment_intents": ({ account }) => ({
      status: 200,
      body: listOf(
        "/v1/payment_intents",
        books.entries
          .filter((one) => one.account === account)
          .slice(-1)
          .map((one) => intentOf(one)),
      ),
    }),
    "POST refunds"(request) {
      const body = membersOf(request.body);
      const entry = books.find(request.account, textOf(body.payment_intent));
      if (!entry) return missing("payment_intent");
      const change = books.refund(
        entry,
        Number(body.amount ?? entry.captured),
        textOf(membersOf(body.metadata).reference),
        `re_${compactId()}`,
      );
      return changed(entry, change, () =>
        change.kind === "done" && change.refund ? refundOf(entry, change.refund) : {},
      );
    },
    "GET refunds"({ account, query }) {
      const entry = books.find(account, query.get("payment_intent") ?? "");
      return { status: 200, body: listOf("/v1/refunds", entry?.refunds.map((one) => refundOf(entry, one)) ?? []) };
    },
    "GET disputes"({ account, query }) {
      const entry = books.find(account, query.get("payment_intent") ?? "");
      return { status: 200, body: listOf("/v1/disputes", entry ? disputesOf(entry) : []) };
    },
  };
}

const listOf = (url: string, data: readonly unknown[]): Members => ({ object: "list", url, has_more: false, data });

function openSlip(books: Books, entry: Entry, body: Members, now: Date): MockReply {
  const days = Number(membersOf(membersOf(body.payment_method_options).boleto).expires_after_days ?? 3);
  const dueOn = addDays(saoPauloDay(now), days);
  Object.assign(keptOf(entry), { dueOn });
  books.open(entry, endOfSaoPauloDay(dueOn));
  return { status: 200, body: intentOf(entry) };
}
