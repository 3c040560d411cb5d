import { type Buyer, cardFields, PERSON, pathOf, severalCards } from "@/lib/testing/buyer";
import { realNow } from "@/lib/time";

/** A sandbox account with a shop, and somebody who visits its links. */
export interface Stage {
  readonly merchantId: string;
  readonly buyer: Buyer;
  /** A call of the API with the account's secret key. */
  call<T = { id: string }>(method: "GET" | "POST" | "PATCH", path: string, body?: object): Promise<T>;
  /** Until the page at this address is in one of these states. */
  until(path: string, ...states: string[]): Promise<void>;
  /** Moves the account's clock: only where nobody else lives by it. */
  advance?(duration: string): Promise<unknown>;
}

export interface Scene {
  readonly state: string;
  /** The heading in both languages, as the design has it; what follows is a date. */
  readonly pt: string;
  readonly en: string;
  readonly status?: number;
  /** Reached only by moving the clock. */
  readonly isTimed?: boolean;
  /** Shown to the browser that paid, and to no other. */
  readonly isOwn?: boolean;
  /** The address of the page in that state. */
  reach(stage: Stage): Promise<string>;
}

const CREDIT = { paymentType: "credit", installments: 6 };
const PIX = { paymentType: "pix", expiresIn: 3_600 };
const DAY_MS = 86_400_000;
const LIFE_DAYS = 10;
/** Some days from now, whenever that is. */
const dayAhead = (days: number): string => new Date(realNow().getTime() + days * DAY_MS).toISOString().slice(0, 10);
const BOLETO = { paymentType: "boleto", expiresDate: dayAhead(LIFE_DAYS), instructions: "Pagar até o vencimento" };
export const ADDRESS = {
  zipCode: "01310-100",
  street: "Av. Paulista",
  streetNumber: "1000",
  district: "Bela Vista",
  city: "São Paulo",
  state: "SP",
};

export const openLink = ({ merchantId, call }: Stage, changes: object = {}): Promise<{ id: string }> =>
  call("POST", "/v1/sessions", {
    merchantId,
    createLink: true,
    paymentMethods: [PIX, CREDIT, BOLETO],
    items: [{ name: "Tênis de corrida", unitPrice: 10_001, quantity: 1 }],
    ...changes,
  });

type Method = "pix" | "card" | "cards" | "boleto" | "nupay";
type Outcome = NonNullable<Parameters<typeof cardFields>[0]>;

/** Pays on a link of its own by one method; answers the payment's page. */
async function pay(
  stage: Stage,
  method: Method,
  fields: Record<string, string>,
  changes: object = {},
): Promise<string> {
  const link = await openLink(stage, changes);
  const page = await stage.buyer.open(pathOf(link, `?method=${method}`));
  return (await stage.buyer.send(page, method, fields)).path.split("#")[0] ?? "";
}

const byPix = (stage: Stage, changes: object = {}) => pay(stage, "pix", PERSON, changes);
const byBoleto = (stage: Stage) => pay(stage, "boleto", { ...PERSON, ...ADDRESS });
const byCard = (stage: Stage, outcome: Outcome = "approve", changes: object = {}) =>
  pay(stage, "card", cardFields(outcome), changes);
const byCards = (stage: Stage, outcomes: readonly Outcome[], changes: object = {}) =>
  pay(stage, "cards", severalCards(outcomes), changes);

const linkOf = (path: string): string => /^\/pay\/[^/?]+/.exec(path)?.[0] ?? "";

/** The newest charge of the link that a page belongs to. */
async function chargeOf({ call }: Stage, path: string): Promise<string> {
  const sessionId = linkOf(path).slice("/pay/".length);
  const { items } = await call<{ items: { id: string }[] }>("GET", `/v1/charges?sessionId=${sessionId}`);
  return items[0]?.id ?? "";
}

async function after(stage: Stage, path: string, change: string, body: object = {}): Promise<string> {
  await stage.call("POST", `/v1/charges/${await chargeOf(stage, path)}/${change}`, body);
  return path;
}

/** Bank days are not all days: the clock goes on until the page says so. */
async function dayByDay(stage: Stage, path: string, state: string): Promise<string> {
  await stage.advance?.(`P${LIFE_DAYS}D`);
  for (let day = 0; day < LIFE_DAYS && (await stage.buyer.open(path)).state !== state; day++)
    await stage.advance?.("P1D");
  return path;
}

export const LINK_SCENES: readonly Scene[] = [
  {
    state: "open",
    pt: "Pagamento para {shop} R$ 100,01",
    en: "Payment to {shop} R$100.01",
    reach: async (stage) => pathOf(await openLink(stage)),
  },
  {
    state: "in_use",
    pt: "Há um pagamento em andamento",
    en: "A payment is in progress",
    reach: async (stage) => linkOf(await byPix(stage)),
  },
  {
    state: "paid",
    pt: "Este link já foi pago",
    en: "This link has been paid",
    reach: async (stage) => linkOf(await byCard(stage)),
  },
  {
    state: "paid_here",
    pt: "Você pagou R$ 100,01",
    en: "You have paid R$100.01",
    isOwn: true,
    reach: async (stage) => linkOf(await byCard(stage, "approve", { maxPayments: -1 })),
  },
  {
    state: "limit",
    pt: "Este link atingiu o limite de pagamentos",
    en: "This link has reached its payment limit",
    reach: async (stage) => linkOf(await byCard(stage, "approve", { maxPayments: 1 })),
  },
  {
    state: "off",
    pt: "Este link está pausado pela loja",
    en: "This link is paused by the shop",
    async reach(stage) {
      const link = await openLink(stage);
      await stage.call("PATCH", `/v1/sessions/${link.id}`, { isActive: false });
      return pathOf(link);
    },
  },
  {
    state: "canceled",
    pt: "Este link foi cancelado",
    en: "This link was canceled",
    async reach(stage) {
      const link = await openLink(stage);
      await stage.call("POST", `/v1/sessions/${link.id}/cancel`);
      return pathOf(link);
    },
  },
  {
    state: "voided",
    pt: "O pagamento deste link foi reembolsado",
    en: "This link's payment was refunded",
    reach: async (stage) => linkOf(await after(stage, await byCard(stage), "void")),
  },
  {
    state: "no_method",
    pt: "Pagamento indisponível agora",
    en: "Payment unavailable right now",
    status: 503,
    async reach(stage) {
      const { id } = await stage.call("POST", "/v1/merchants", {
        mcc: "5411",
        name: "Loja",
        merchantName: "Loja",
        providers: [{ name: "Simulator", priority: 1, credentials: { type: "SANDBOX", apiKey: "any text" } }],
      });
      const link = await openLink({ ...stage, merchantId: id });
      await stage.call("PATCH", `/v1/merchants/${id}`, { status: false });
      return pathOf(link);
    },
  },
  {
    state: "unknown",
    pt: "Link não encontrado",
    en: "Link not found",
    status: 404,
    reach: async () => "/pay/0192f1c0-1111-7aaa-8bbb-000000000001",
  },
  {
    state: "expired",
    pt: "Este link venceu em",
    en: "This link expired on",
    isTimed: true,
    async reach(stage) {
      const link = await openLink(stage, { dueDate: dayAhead(LIFE_DAYS), paymentMethods: [PIX] });
      await stage.advance?.(`P${LIFE_DAYS + 2}D`);
      return pathOf(link);
    },
  },
];

export const PAYMENT_SCENES: readonly Scene[] = [
  { state: "pix", pt: "Pague com Pix: R$ 100,01", en: "Pay with Pix: R$100.01", reach: (stage) => byPix(stage) },
  {
    state: "pixExpired",
    pt: "Este código Pix venceu",
    en: "This Pix code has expired",
    async reach(stage) {
      const path = await byPix(stage, { paymentMethods: [{ ...PIX, expiresIn: 1 }] });
      await stage.advance?.("PT1H");
      await stage.until(path, "pixExpired");
      return path;
    },
  },
  {
    state: "wallet",
    pt: "Pague R$ 100,01 com NuPay",
    en: "Pay R$100.01 with NuPay",
    reach: (stage) => pay(stage, "nupay", PERSON, { paymentMethods: [{ paymentType: "nupay" }] }),
  },
  {
    state: "walletExpired",
    pt: "O tempo para pagar acabou",
    en: "The time to pay has run out",
    isTimed: true,
    async reach(stage) {
      const path = await pay(stage, "nupay", PERSON, { paymentMethods: [{ paymentType: "nupay" }] });
      await stage.advance?.("P1D");
      return path;
    },
  },
  { state: "boleto", pt: "Seu boleto está pronto", en: "Your boleto is ready", reach: byBoleto },
  {
    state: "processing",
    pt: "Processando seu pagamento",
    en: "Processing your payment",
    reach: (stage) => byCard(stage, "pending_forever"),
  },
  {
    state: "authenticate",
    pt: "Confirme no seu banco",
    en: "Confirm with your bank",
    reach: (stage) => byCard(stage, "3ds_challenge_ok"),
  },
  {
    state: "declined",
    pt: "Pagamento não aprovado",
    en: "Payment not approved",
    isTimed: true,
    async reach(stage) {
      const path = await byCard(stage, "pending_then_declined");
      await stage.advance?.("PT10M");
      return path;
    },
  },
  {
    state: "confirming",
    pt: "Estamos confirmando com o banco. Não pague de novo.",
    en: "We are confirming with the bank. Do not pay again.",
    isTimed: true,
    async reach(stage) {
      const path = await byCard(stage, "pending_forever");
      await stage.advance?.("PT30S");
      return path;
    },
  },
  {
    state: "released",
    pt: "Nada foi cobrado. As reservas foram liberadas.",
    en: "Nothing was charged. The holds were released.",
    async reach(stage) {
      const path = await byCards(stage, ["approve", "decline:insufficient_funds"]);
      await stage.until(path, "released");
      return path;
    },
  },
  {
    state: "authorised",
    pt: "Pagamento autorizado",
    en: "Payment authorized",
    reach: (stage) => byCard(stage, "approve", { capture: false }),
  },
  { state: "paid", pt: "Pagamento aprovado", en: "Payment approved", reach: (stage) => byCard(stage) },
  {
    state: "review",
    pt: "Estamos conferindo seu pagamento",
    en: "We are checking your payment",
    reach: (stage) => byCard(stage, "amount_mismatch_minus_1"),
  },
  {
    state: "refunding",
    pt: "Devolvendo o pagamento",
    en: "Refunding the payment",
    isTimed: true,
    async reach(stage) {
      const path = await byCard(stage, "refund_pending_done");
      // Money of another day is not voided but refunded.
      await stage.advance?.("P1D");
      return after(stage, path, "void");
    },
  },
  {
    state: "partlyRefunded",
    pt: "Devolvido R$ 10,00 de R$ 100,01",
    en: "Refunded R$10.00 of R$100.01",
    reach: async (stage) => after(stage, await byCard(stage), "void", { amount: 1_000 }),
  },
  {
    state: "refunded",
    pt: "Devolvido R$ 100,01",
    en: "Refunded R$100.01",
    reach: async (stage) => after(stage, await byCard(stage), "void"),
  },
  {
    state: "disputed",
    pt: "Pagamento contestado",
    en: "Payment disputed",
    async reach(stage) {
      const path = await byCard(stage);
      await stage.call("POST", `/v1/sandbox/charges/${await chargeOf(stage, path)}/chargeback`, {});
      return path;
    },
  },
  {
    state: "canceled",
    pt: "Este pagamento foi cancelado",
    en: "This payment was canceled",
    async reach(stage) {
      const path = await byPix(stage);
      const link = await stage.buyer.open(`${linkOf(path)}?other=1&method=boleto`);
      await stage.buyer.send(link, "boleto", { ...PERSON, ...ADDRESS });
      return path;
    },
  },
  {
    state: "pixLate",
    pt: "Chegou depois do vencimento e foi devolvido",
    en: "It arrived after it expired and was returned",
    isTimed: true,
    async reach(stage) {
      const path = await byPix(stage);
      await stage.call("POST", `/v1/sandbox/pix/${await chargeOf(stage, path)}/pay`, { after: "expiry" });
      await stage.advance?.("PT2H");
      return path;
    },
  },
  {
    state: "boletoOverdue",
    pt: "Boleto vencido",
    en: "Boleto overdue",
    isTimed: true,
    reach: async (stage) => dayByDay(stage, await byBoleto(stage), "boletoOverdue"),
  },
  {
    state: "boletoClosed",
    pt: "Este boleto não pode mais ser pago",
    en: "This boleto can no longer be paid",
    isTimed: true,
    reach: async (stage) => dayByDay(stage, await byBoleto(stage), "boletoClosed"),
  },
];
