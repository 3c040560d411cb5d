import { saoPauloDay } from "@/lib/brazil/bank-calendar";
import { brandOf } from "@/lib/brazil/card-brand";
import {
  aboutOf,
  FRICTIONLESS,
  itemOf,
  itemsOf,
  type Kept,
  keptOf,
  newPsp,
  notificationOf,
  paymentOf,
} from "@/lib/testing/providers/adyen/objects";
import { type Books, type Change, type Entry, openBooks, type Told } from "@/lib/testing/providers/kit/books";
import { type Contract, openContract, specText } from "@/lib/testing/providers/kit/contract";
import { openKeys } from "@/lib/testing/providers/kit/keys";
import { type MockReply, type MockRequest, type MockServer, startMock } from "@/lib/testing/providers/kit/server";
import { addSeconds, DAY_SECONDS, realNow } from "@/lib/time";

const HOLD_DAYS = 28;
const KEY_HOURS = 7 * 24;
const PIX_REFUND_DAYS = 90;
const PREFIX = "/v72";
const JSON_TYPE = "application/json";

export interface AdyenNews {
  account: string;
  entry: Entry;
  /** Not signed yet: each receiver signs with the key that it shares with the account. */
  body: Record<string, unknown>;
}

export interface AdyenMock extends MockServer {
  books: Books;
  news: readonly AdyenNews[];
  /** What is wrong with a notification, by the document of notifications. */
  newsBreaches(body: Record<string, unknown>): string[];
}

type Members = Record<string, unknown>;
const membersOf = (body: unknown): Members => (typeof body === "object" && body !== null ? { ...body } : {});
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

export const adyenContract = (): Contract =>
  openContract({
    document: JSON.parse(specText("adyen/CheckoutService-v72.json")),
    dialect: "3.1",
    media: JSON_TYPE,
    prefix: PREFIX,
  });

/** Each notification stands in its document as the request that Adyen makes. */
function newsContract(): Contract {
  // Guarantee: the file is the document of which this is the form; its digest is checked.
  const document = JSON.parse(specText("adyen/Webhooks-v1.json")) as { webhooks: Members };
  return openContract({ document: { ...document, paths: document.webhooks }, dialect: "3.1", media: JSON_TYPE });
}

/** The account that a key is of: a stand-in's keys name it. */
const accountOfKey = ({ headers }: MockRequest): string => (headers["x-api-key"] ?? "").split("_of_")[1] ?? "";

/** Adyen on this machine: its documents, its books, its notifications. */
export async function startAdyen({
  port = 0,
  now = realNow,
}: {
  port?: number;
  now?: () => Date;
} = {}): Promise<AdyenMock> {
  const contract = adyenContract();
  const ofNews = newsContract();
  const news: AdyenNews[] = [];
  const keys = openKeys(KEY_HOURS);
  /** The number of the change that is being made: what it makes happen is told under it. */
  let change = newPsp();
  const tell = (told: Told): void => {
    for (const item of itemsOf(told, change)) {
      const body = notificationOf(itemOf(item, aboutOf(told)));
      news.push({ account: told.entry.account, entry: told.entry, body });
    }
  };
  const books = openBooks({ now, holdDays: HOLD_DAYS, isAsync: true, tell });
  // Compiled before the first call waits for it.
  contract.requestBreaches({ method: "POST", path: `${PREFIX}/payments`, body: {} });
  contract.answerBreaches({ method: "POST", path: `${PREFIX}/payments` }, 200, {});

  function handle(request: MockRequest): MockReply {
    books.passTime();
    const account = accountOfKey(request);
    const key = request.headers["x-api-key"] ?? "";
    if (account === "" || key.includes("revoked"))
      return refuse(401, "000", `HTTP Status Response - Unauthorized: ${key}`);
    const body = membersOf(request.body);
    const named = body.merchantAccount;
    if (named !== undefined && named !== account) return refuse(403, "901", "Invalid Merchant Account");
    const asked = {
      account,
      key: request.headers["idempotency-key"],
      at: now(),
      content: [request.path, request.body],
    };
    const reply = keys.once(
      asked,
      () => route(request.path.slice(PREFIX.length), account, body),
      () => refuse(422, "704", "request already processed or in progress"),
    );
    const entry = books.entries.findLast((one) => one.account === account && one.reference === body.reference);
    if (reply.isSilent && entry?.outcome === "replay_differs") keys.forget((one) => one.startsWith(entry.reference));
    return reply;
  }

  function route(path: string, account: string, body: Members): MockReply {
    const [, resource, id = "", action = ""] = path.split("/");
    if (resource === "paymentMethods") {
      return { status: 200, body: { paymentMethods: [{ type: "scheme", name: "Cards" }] } };
    }
    if (id === "details") return "redirectResult" in membersOf(body.details) ? continued(account, body) : stepped(body);
    if (action === "") return pay(account, body);
    const entry = books.find(account, id);
    if (!entry) return refuse(422, "167", "Original pspReference required for this operation");
    change = newPsp();
    const reference = textOf(body.reference);
    const value = Number(membersOf(body.amount).value ?? 0);
    const done: Record<string, () => Change> = {
      captures: () => books.capture(entry, value, reference),
      cancels: () => books.cancel(entry, reference),
      refunds: () =>
        isTooLate(entry, now())
          ? { kind: "refused", why: "invalid_state" }
          : books.refund(entry, value, reference, change),
    };
    const made = done[action]?.();
    return made ? received(entry, action, made, { reference, value }) : refuse(404, "905", "no such address");
  }

  function pay(account: string, body: Members): MockReply {
    const method = membersOf(body.paymentMethod);
    const { value, currency } = membersOf(body.amount);
    const type = textOf(method.type);
    const entry = books.enter({
      id: newPsp(),
      account,
      reference: textOf(body.reference),
      charge: textOf(membersOf(body.metadata).charge),
      method: type === "pix" ? "pix" : type.startsWith("boleto") ? "boleto" : "credit",
      amount: Number(value),
      currency: textOf(currency),
      capture: body.captureDelayHours === 0,
      installments: Number(membersOf(body.installments).value ?? 1),
    });
    if (entry.method === "pix") books.open(entry, new Date(textOf(body.sessionValidity)));
    else if (entry.method === "boleto") {
      const until = new Date(textOf(body.deliverAt));
      Object.assign(entry.kept, { dueOn: saoPauloDay(until) });
      books.open(entry, until);
    } else {
      const card = { name: textOf(method.holderName), brand: brandOf(textOf(method.number)) };
      Object.assign(entry.kept, { hasCvv: method.cvc !== undefined });
      if (membersOf(body.authenticationData).attemptAuthentication !== "always") return authorized(entry, card);
      entry.state = "challenge";
      Object.assign(entry.kept, { card, ...nativeIn(body) });
    }
    return { status: 200, body: paymentOf(entry) };
  }

  function authorized(entry: Entry, card: { name: string; brand: string }): MockReply {
    const { isSilent } = books.authorize(entry, card);
    return { status: 200, body: paymentOf(entry), ...(isSilent ? { isSilent } : {}) };
  }

  /** What a browser brings back names its payment, and how its challenge ended. */
  function continued(account: string, body: Members): MockReply {
    const [id = "", how] = textOf(membersOf(body.details).redirectResult).split("!");
    const entry = books.find(account, id);
    if (entry?.state !== "challenge" || keptOf(entry).native) {
      return refuse(422, "101_6", "Invalid redirectResult");
    }
    return ended(entry, how === "authenticated");
  }

  /** The steps of a bank that were carried out elsewhere than on Adyen's page: each by what it was told of its own. */
  function stepped(body: Members): MockReply {
    const entry = entryOfStep(books, body);
    const native = entry && keptOf(entry).native;
    if (!entry || !native || entry.state !== "challenge") return refuse(422, "101_7", "Invalid details");
    const details = membersOf(body.details);
    if (native.step === "fingerprint") {
      const seen = decodedIn(details["threeds2.fingerprint"]).threeDSCompInd;
      if (seen !== "Y" && seen !== "N" && seen !== "U") return refuse(422, "101_8", "Invalid fingerprint");
      Object.assign(entry.kept, { seen });
      if (keptOf(entry).card?.name === FRICTIONLESS) return ended(entry, true);
      native.step = "challenge";
      return { status: 200, body: paymentOf(entry) };
    }
    return ended(entry, decodedIn(details.threeDSResult).transStatus === "Y");
  }

  function ended(entry: Entry, isAuthenticated: boolean): MockReply {
    const { card } = keptOf(entry);
    if (!card) return refuse(422, "101_6", "Invalid details");
    if (isAuthenticated) {
      // A holder by this name is let through by an issuer that does not answer for it.
      Object.assign(entry.kept, { shift: card.name !== "no_shift" });
      return authorized(entry, card);
    }
    Object.assign(entry.kept, { wasNotAuthenticated: true });
    books.decline(entry, { networkCode: "" }, "security_violation");
    return { status: 200, body: paymentOf(entry) };
  }

  /** Everything is received; what could not be done is told like what was. */
  function received(
    entry: Entry,
    action: string,
    made: Change,
    asked: { reference: string; value: number },
  ): MockReply {
    if (made.kind === "silent") return { status: 0, body: null, wasNotDone: true };
    if (made.kind === "refused") {
      const about = {
        account: entry.account,
        paymentPsp: entry.id,
        reference: asked.reference,
        amount: asked.value,
        at: now(),
      };
      const item = { eventCode: CODE[action] ?? "", psp: change, success: false, reason: REASONS[made.why] };
      news.push({ account: entry.account, entry, body: notificationOf(itemOf(item, about)) });
    }
    const body = {
      merchantAccount: entry.account,
      paymentPspReference: entry.id,
      pspReference: change,
      reference: asked.reference,
      status: "received",
      ...(action === "cancels" ? {} : { amount: { currency: "BRL", value: asked.value } }),
    };
    return { status: 201, body, ...(made.kind === "done" && made.isSilent ? { isSilent: true } : {}) };
  }

  const ofPath = (request: MockRequest): Entry | undefined =>
    books.find(accountOfKey(request), request.path.split("/")[3] ?? "");

  return startMock(
    {
      handle,
      contract,
      about(request) {
        const body = membersOf(request.body);
        const entry = ofPath(request) ?? entryOfDetails(books, body);
        return {
          step: STEPS[request.path.split("/").at(-1) ?? ""] ?? "pay",
          charge: textOf(membersOf(body.metadata).charge) || (entry?.charge ?? ""),
          reference: textOf(body.reference) || (entry?.reference ?? ""),
        };
      },
      shown(request) {
        const { merchantAccount: _named, ...body } = membersOf(request.body);
        if (!body.paymentMethod) return body;
        const { number, cvc, expiryMonth, expiryYear, ...method } = membersOf(body.paymentMethod);
        return { ...body, paymentMethod: { ...method, ...(number ? { card: "left out" } : {}) } };
      },
      trouble: (status, message) => ({ status, errorCode: "905", errorType: "internal", message }),
      contradict: (reply) => ({ ...reply, body: contradicted(membersOf(reply.body)) }),
    },
    {
      books,
      news,
      newsBreaches: (body: Record<string, unknown>) =>
        ofNews.requestBreaches({ method: "POST", path: `/${codeIn(body)}`, body }),
    },
    { port },
  );
}

const STEPS: Readonly<Record<string, string>> = {
  payments: "pay",
  details: "continue",
  captures: "capture",
  cancels: "void",
  refunds: "refund",
  paymentMethods: "methods",
};
const CODE: Readonly<Record<string, string>> = { captures: "CAPTURE", cancels: "CANCELLATION", refunds: "REFUND" };
const REASONS = {
  invalid_state: "Transaction not in a state for this modification",
  amount_exceeded: "Insufficient balance on payment",
  insufficient_balance: "Insufficient balance on account",
} as const;

const refuse = (status: number, errorCode: string, message: string): MockReply => ({
  status,
  body: { status, errorCode, message, errorType: status === 422 ? "validation" : "security" },
});

const isTooLate = ({ method, createdAt }: Entry, now: Date): boolean =>
  method === "pix" && now > addSeconds(createdAt, PIX_REFUND_DAYS * DAY_SECONDS);

const entryOfDetails = (books: Books, body: Members): Entry | undefined =>
  books.entries.find(({ id }) => textOf(membersOf(body.details).redirectResult).startsWith(`${id}!`)) ??
  entryOfStep(books, body);

function decodedIn(text: unknown): Members {
  const plain = Buffer.from(textOf(text), "base64").toString("utf8");
  return plain === "" ? {} : membersOf(JSON.parse(plain));
}

/** By what Adyen gave along with the step: the data of a fingerprint, the token of a challenge. */
function entryOfStep(books: Books, { details, paymentData }: Members): Entry | undefined {
  const { authorisationToken } = decodedIn(membersOf(details).threeDSResult);
  return books.entries.find(({ id }) => paymentData === `data_${id}` || authorisationToken === `auth_${id}`);
}

/** What is asked for where the shop carries out the steps itself, and says where the bank brings its answer. */
function nativeIn({ authenticationData, threeDS2RequestData, browserInfo }: Members): Pick<Kept, "native"> {
  const { nativeThreeDS } = membersOf(membersOf(authenticationData).threeDSRequestData);
  const { notificationURL } = membersOf(threeDS2RequestData);
  if (nativeThreeDS !== "preferred" || typeof notificationURL !== "string" || !browserInfo) return {};
  return { native: { step: "fingerprint", notificationURL } };
}

/** A payment approved with the reason of a refusal, or a change of a payment that nobody asked about. */
const contradicted = (body: Members): Members =>
  "resultCode" in body
    ? { ...body, resultCode: "Authorised", refusalReasonCode: "2" }
    : { ...body, paymentPspReference: "OFSOMEBODYELSE00" };

const codeIn = ({ notificationItems }: Members): string => {
  const [first] = Array.isArray(notificationItems) ? notificationItems : [];
  return textOf(membersOf(membersOf(first).NotificationRequestItem).eventCode);
};
