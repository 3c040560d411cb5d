import { randomBytes } from "node:crypto";
import { parse } from "yaml";
import { dynamicPixCode } from "@/lib/brazil/pix-brcode";
import { centsToDecimal, decimalToCents } from "@/lib/money";
import { type Books, type Entry, openBooks } from "@/lib/testing/providers/kit/books";
import { type Authority, type Issued, openAuthority } from "@/lib/testing/providers/kit/certificates";
import { type Contract, openContract, specText, withNulls } from "@/lib/testing/providers/kit/contract";
import { type MockReply, type MockRequest, type MockServer, startMock } from "@/lib/testing/providers/kit/server";
import { openRecurring, type Recurring } from "@/lib/testing/providers/pix-bacen/recurring";
import { addSeconds, DAY_SECONDS, realNow } from "@/lib/time";

const REFUND_DAYS = 90;
const TOKEN_SECONDS = 600;
const ISPB = "12345678";

type Members = Record<string, unknown>;
const membersOf = (body: unknown): Members => (typeof body === "object" && body !== null ? { ...body } : {});
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

interface Returned {
  id: string;
  payment: string;
  amount: number;
  at: Date;
  ends: "at_once" | "later_done" | "later_failed" | "refused";
}

interface Kept {
  expiration: number;
  key: string;
  debtor?: unknown;
  revision: number;
  returned: Returned[];
  /** Paid under a mandate. */
  isInstructed?: boolean;
}
const keptOf = (entry: Entry): Kept => entry.kept as unknown as Kept; // Guarantee: the stand-in enters nothing else.

/** A notification of a Pix that arrived, or of a refund of one. */
export interface PixNotice {
  account: string;
  entry: Entry;
  body: { pix: Members[] };
}

export interface BankMock extends MockServer {
  books: Books;
  contract: Contract;
  authority: Authority;
  client: Issued;
  notices: readonly PixNotice[];
  /** Which key tells its Pix to which address. */
  webhooks: ReadonlyMap<string, string>;
  recurring: Recurring;
  tokensGiven(): number;
  /** Every token given so far stops being taken. */
  revokeTokens(): void;
}

/** Names that the document demands where it has no such member. */
const NO_MEMBERS: ReadonlySet<unknown> = new Set(["idRec", "retentativa", "tipo", "ispbParticipante"]);

/**
 * Slashes out, patterns anchored, a list's limit under its own name, and a location that is no URI; of ways of which an
 * object is always both, either will do; a text has no members.
 */
function repaired(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(repaired);
  if (typeof node !== "object" || node === null) return node;
  const { example: _example, examples: _examples, ...rest } = node as Members; // An object that is no list.
  const read = Object.fromEntries(Object.entries(rest).map(([name, one]) => [name, repaired(one)])) as Members;
  if (typeof read.pattern === "string") read.pattern = `^(?:${read.pattern.replace(/^\/(.*)\/$/, "$1")})$`;
  if (read.type === "array" && typeof read.maximum === "number") {
    read.maxItems = read.maximum;
    delete read.maximum;
  }
  const known = membersOf(read.properties);
  if (Array.isArray(read.required)) {
    read.required = read.required.filter((name) => !NO_MEMBERS.has(name) || Object.hasOwn(known, String(name)));
  }
  if (Array.isArray(read.oneOf) && read.oneOf.every((one) => membersOf(one).required === undefined)) {
    read.anyOf = read.oneOf;
    delete read.oneOf;
  }
  if (read.type === "string") delete read.anyOf;
  const location = membersOf(known.location);
  if (location.format === "uri") {
    const { format: _format, ...plain } = location;
    read.properties = { ...known, location: plain };
  }
  return read;
}

/** The payer's bank reads a mandate at an address that cannot be told from ours. */
function withoutPayloads(document: unknown): unknown {
  const { paths, ...rest } = membersOf(document);
  const { "/rec/{recUrlAccessToken}": _payload, ...others } = membersOf(paths);
  return { ...rest, paths: others };
}

export const bankContract = (prefix: string, alsoAsked: readonly string[]): Contract =>
  openContract({
    document: withNulls(repaired(withoutPayloads(parse(specText("bacen/pix-openapi-2.9.0.yaml"))))),
    dialect: "3.0",
    media: "application/json",
    prefix,
    alsoAsked,
  });

/** A bank on this machine that speaks the Central Bank's API over connections that both sides prove. */
export async function startBank({
  prefix = "/pix/v2",
  tokenPath = "/oauth/token",
  alsoAsked = ["gw-dev-app-key"],
  now = realNow,
}: {
  prefix?: string;
  tokenPath?: string;
  alsoAsked?: readonly string[];
  now?: () => Date;
} = {}): Promise<BankMock> {
  const contract = bankContract(prefix, alsoAsked);
  const authority = openAuthority();
  const client = authority.issue("merchant of ours");
  const own = authority.issue("bank");
  const tokens = new Map<string, { account: string; endsAt: Date }>();
  const webhooks = new Map<string, string>();
  const notices: PixNotice[] = [];
  let given = 0;
  const books = openBooks({ now, holdDays: 1, tell: () => undefined });

  const problem = (status: number, word: string, detail = word): MockReply => ({
    status,
    headers: { "content-type": "application/problem+json" },
    body: { type: `https://pix.bcb.gov.br/api/v2/error/${word}`, title: word, status, detail },
  });

  function token({ headers, body }: MockRequest): MockReply {
    const { client_id: id, client_secret: secret, grant_type: grant } = membersOf(body);
    const account = textOf(headers.authorization).replace("Basic ", "") || `${textOf(id)}:${textOf(secret)}`;
    if (grant !== "client_credentials" || account.length < 2 || account.includes("revoked")) {
      return { status: 401, body: { error: "invalid_client" } };
    }
    given++;
    const value = randomBytes(16).toString("hex");
    tokens.set(value, { account, endsAt: addSeconds(realNow(), TOKEN_SECONDS) });
    return { status: 200, body: { access_token: value, token_type: "Bearer", expires_in: TOKEN_SECONDS } };
  }

  const accountOf = ({ headers }: MockRequest): string | undefined => {
    const known = tokens.get(textOf(headers.authorization).replace("Bearer ", ""));
    return known && known.endsAt > realNow() ? known.account : undefined;
  };

  function put(account: string, txid: string, body: Members): MockReply {
    const wanted = decimalToCents(textOf(membersOf(body.valor).original));
    const known = books.find(account, txid);
    if (known) {
      const isSame = known.state === "pending" && known.amount === wanted;
      // The same charge again is what it was; another one under its txid is refused.
      return isSame ? { status: 201, body: chargeOf(known, now()) } : problem(400, "CobOperacaoInvalida");
    }
    if (!/^[a-zA-Z0-9]{26,35}$/.test(txid) || !wanted) return problem(400, "CobOperacaoInvalida");
    const expiration = Number(membersOf(body.calendario).expiracao ?? 86_400);
    const name = textOf(membersOf(body.devedor).nome);
    const entry = books.enter({
      id: txid,
      account,
      reference: txid,
      charge: txid,
      method: "pix",
      amount: wanted,
      outcome: name.toLowerCase(),
      kept: { expiration, key: textOf(body.chave), debtor: body.devedor, revision: 0, returned: [] },
    });
    books.open(entry, addSeconds(now(), expiration));
    return { status: 201, body: chargeOf(entry, now()) };
  }

  function remove(entry: Entry): MockReply {
    const change = books.cancel(entry);
    if (change.kind === "refused") return problem(400, "CobOperacaoInvalida");
    keptOf(entry).revision++;
    return { status: 200, body: chargeOf(entry, now()) };
  }

  function giveBack(account: string, payment: string, id: string, body: Members): MockReply {
    const entry = books.entries.find((one) => one.account === account && one.payments.some((it) => it.id === payment));
    const arrived = entry?.payments.find((it) => it.id === payment);
    if (!entry || !arrived) return problem(404, "NaoEncontrado");
    const { returned } = keptOf(entry);
    const known = returned.find((one) => one.id === id);
    const amount = decimalToCents(textOf(body.valor)) ?? 0;
    if (known)
      return known.amount === amount
        ? { status: 201, body: refundOf(known, now()) }
        : problem(400, "PixDevolucaoInvalida");
    const gone = returned
      .filter((one) => one.payment === payment && statusOf(one, now()) !== "NAO_REALIZADO")
      .reduce((sum, one) => sum + one.amount, 0);
    const isLate = now() > addSeconds(arrived.at, REFUND_DAYS * DAY_SECONDS);
    if (isLate || amount <= 0 || amount > arrived.amount - gone) return problem(400, "PixDevolucaoInvalida");
    const ends = ENDINGS[entry.outcome] ?? "at_once";
    const made: Returned = { id, payment, amount, at: now(), ends };
    returned.push(made);
    tellOf(entry, payment);
    return { status: 201, body: refundOf(made, now()) };
  }

  function tellOf(entry: Entry, payment: string): void {
    const arrived = pixOf(entry, now()).find(({ endToEndId }) => endToEndId === payment);
    if (arrived) notices.push({ account: entry.account, entry, body: { pix: [arrived] } });
  }

  const recurring = openRecurring({
    now,
    problem,
    pixOf(account, txid) {
      const entry = books.find(account, txid);
      return entry ? pixOf(entry, now()) : [];
    },
    pay(account, txid, amount, endToEndId) {
      const kept = { expiration: 0, key: "", revision: 0, returned: [], isInstructed: true };
      const entry = books.enter({ id: txid, account, reference: txid, charge: txid, method: "pix", amount, kept });
      books.open(entry, addSeconds(now(), DAY_SECONDS));
      arrive(entry, amount, endToEndId);
    },
  });

  function handle(request: MockRequest): MockReply {
    if (request.path === tokenPath) return token(request);
    books.passTime();
    const account = accountOf(request);
    if (account === undefined) return problem(401, "NaoAutorizado");
    const [, ...parts] = request.path.slice(prefix.length).split("/").map(decodeURIComponent);
    const [resource = "", id = "", , refundId = ""] = parts;
    const body = membersOf(request.body);
    if (resource.startsWith("webhook") && request.method === "PUT") {
      webhooks.set(id === "" ? resource : id, textOf(body.webhookUrl));
      return { status: 200, body: undefined };
    }
    if (resource === "pix" && request.method === "PUT") return giveBack(account, id, refundId, body);
    if (resource !== "cob") {
      const { method, query } = request;
      return recurring.handle(account, { method, parts, query, body }) ?? problem(404, "NaoEncontrado");
    }
    if (request.method === "PUT") return put(account, id, body);
    const entry = books.find(account, id);
    if (!entry || keptOf(entry).isInstructed) return problem(404, "NaoEncontrado");
    return request.method === "PATCH"
      ? remove(entry)
      : { status: 200, body: { ...chargeOf(entry, now()), ...withPix(entry, now()) } };
  }

  const mock = await startMock(
    {
      handle,
      contract,
      isOutside: ({ path }) => path === tokenPath,
      about(request) {
        const [, resource = "", id = ""] = request.path.slice(prefix.length).split("/");
        const step = request.path === tokenPath ? "token" : `${request.method} ${resource}`;
        const entry = books.entries.find((one) => one.id === id || one.payments.some((it) => it.id === id));
        return { step, charge: entry?.charge ?? id, reference: entry?.reference ?? id };
      },
      shown: (request) => (request.path === tokenPath ? {} : membersOf(request.body)),
      trouble: (status, detail) => problem(status, "ErroInterno", detail).body,
      contradict: (reply) => ({ ...reply, body: { ...membersOf(reply.body), txid: "0".repeat(32), id: "another" } }),
    },
    {
      books,
      contract,
      authority,
      client,
      notices,
      webhooks,
      recurring,
      tokensGiven: () => given,
      revokeTokens: () => tokens.clear(),
    },
    { tls: { cert: own.cert, key: own.key, ca: authority.cert, requestCert: true, rejectUnauthorized: true } },
  );
  const { pay } = books;
  // A payment of a charge is a Pix with a name of its own, which the bank tells of.
  const arrive = (entry: Entry, amount: number | undefined, name: string): void => {
    pay(entry, amount);
    const arrived = entry.payments.at(-1);
    if (!arrived) return;
    arrived.id = name;
    tellOf(entry, name);
  };
  books.pay = (entry, amount) => {
    const stamp = now().toISOString().replace(/\D/g, "").slice(0, 12);
    arrive(entry, amount, `E${ISPB}${stamp}${randomBytes(8).toString("hex").slice(0, 11)}`);
  };
  return mock;
}

/** What has gone back to the payers of a charge. */
export const givenBack = (entry: Entry, now: Date): number =>
  keptOf(entry)
    .returned.filter((one) => statusOf(one, now) === "DEVOLVIDO")
    .reduce((sum, { amount }) => sum + amount, 0);

const ENDINGS: Readonly<Record<string, Returned["ends"]>> = {
  refund_pending_done: "later_done",
  refund_pending_failed: "later_failed",
  refund_refused_insufficient_balance: "refused",
};

function statusOf({ ends, at }: Returned, now: Date): "EM_PROCESSAMENTO" | "DEVOLVIDO" | "NAO_REALIZADO" {
  if (ends === "at_once") return "DEVOLVIDO";
  if (ends === "refused") return "NAO_REALIZADO";
  if (now < addSeconds(at, DAY_SECONDS)) return "EM_PROCESSAMENTO";
  return ends === "later_done" ? "DEVOLVIDO" : "NAO_REALIZADO";
}

const refundOf = (refund: Returned, now: Date): Members => ({
  id: refund.id,
  rtrId: `D${ISPB}${refund.id.replace(/\W/g, "").padEnd(23, "0").slice(0, 23)}`,
  valor: centsToDecimal(refund.amount),
  horario: { solicitacao: refund.at.toISOString() },
  status: statusOf(refund, now),
});

const STATUS: Partial<Record<Entry["state"], string>> = {
  captured: "CONCLUIDA",
  canceled: "REMOVIDA_PELO_USUARIO_RECEBEDOR",
};

function chargeOf(entry: Entry, _now: Date): Members {
  const { expiration, key, debtor, revision } = keptOf(entry);
  const location = `pix.bank.example/qr/v2/${entry.id}`;
  const amount = entry.outcome === "amount_mismatch_minus_1" ? entry.amount - 1 : entry.amount;
  return {
    txid: entry.id,
    calendario: { criacao: entry.createdAt.toISOString(), expiracao: expiration },
    revisao: revision,
    status: STATUS[entry.state] ?? "ATIVA",
    valor: { original: centsToDecimal(amount) },
    chave: key,
    ...(debtor ? { devedor: debtor } : {}),
    location,
    pixCopiaECola: dynamicPixCode({ url: location, merchantName: "Loja", merchantCity: "Sao Paulo", amount }),
  };
}

const pixOf = (entry: Entry, now: Date): Members[] =>
  entry.payments.map((payment) => {
    const returned = keptOf(entry).returned.filter((one) => one.payment === payment.id);
    return {
      endToEndId: payment.id,
      txid: entry.id,
      valor: centsToDecimal(payment.amount),
      horario: payment.at.toISOString(),
      ...(returned.length > 0 ? { devolucoes: returned.map((one) => refundOf(one, now)) } : {}),
    };
  });

const withPix = (entry: Entry, now: Date): Members => (entry.payments.length > 0 ? { pix: pixOf(entry, now) } : {});
