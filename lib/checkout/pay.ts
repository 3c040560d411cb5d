import type { Charge } from "@/lib/charges/queries";
import { closeOpen } from "@/lib/checkout/actions";
import {
  findAttempt,
  paymentOf,
  recordCheckoutAttempt,
  type VisitHistory,
  visitHistory,
} from "@/lib/checkout/checkout-attempts";
import { type Action, declineRefusal, shownRefusal, waysOut } from "@/lib/checkout/declines";
import {
  hasMasks,
  isToRemember,
  type Person,
  type Reader,
  readEmail,
  readerOf,
  readHolder,
  readInstallments,
  readPerson,
  readSharedAmount,
  readSlipPayer,
  refuseBrands,
  type TypedAddress,
  type TypedForm,
  typedCard,
  typedCvv,
} from "@/lib/checkout/form";
import { AlreadyPaid, refuseDeclinedCard, refuseRepeat, refuseSecondTrial, TrialTaken } from "@/lib/checkout/guards";
import { knownBuyerOf } from "@/lib/checkout/known-buyer";
import { isByOtherCard } from "@/lib/checkout/made-before";
import { methodKinds, offeredActions } from "@/lib/checkout/methods";
import { linkMoments } from "@/lib/checkout/moments";
import { toldRefusal } from "@/lib/checkout/neutral";
import { analysisOf, captchaOf, demandEmail, typedBuyer } from "@/lib/checkout/pay-buyer";
import { fieldOf, isConflict, isQuestionWrong, refusalFor } from "@/lib/checkout/pay-refusals";
import { declineOf } from "@/lib/checkout/payment-view";
import { rememberBuyer } from "@/lib/checkout/remember-buyer";
import { remember } from "@/lib/checkout/remembered";
import { returnUrlOf } from "@/lib/checkout/return-address";
import { refuseSameCard } from "@/lib/checkout/same-card";
import { holderOf, savedCardsOf } from "@/lib/checkout/saved-cards";
import { brandsTaken } from "@/lib/checkout/served";
import {
  type Beginning,
  beginningOf,
  startByBank,
  startTrialByBank,
  startWithCharge,
  startWithTrial,
  type TrialBegun,
} from "@/lib/checkout/subscribe";
import { type BrowserHeaders, threeDSFor } from "@/lib/checkout/three-ds";
import type { MethodKind, PageNotice } from "@/lib/checkout/view";
import { type AttemptKey, readAttempt } from "@/lib/checkout/visit";
import { type Context, inTransaction, now } from "@/lib/context";
import { createBuyer } from "@/lib/customers/service";
import { CardRefused, RequestError } from "@/lib/errors";
import type { Locale } from "@/lib/i18n/locales";
import { tellFailure } from "@/lib/insights/failing-links";
import { payByCards } from "@/lib/purchases/pay-session";
import { payByBoleto, payByCard, payByPix, paySession } from "@/lib/session-payments/pay";
import type { NewSessionCharge } from "@/lib/session-payments/schema";
import { mostParts as mostPartsOf } from "@/lib/sessions/offered";
import type { OpenedSession } from "@/lib/sessions/open";
import { isOneToOne, type SessionRow } from "@/lib/sessions/state";
import { settleStart } from "@/lib/subscriptions/link-start";
import { createToken } from "@/lib/tokens/service";
import { type Gate, openGate } from "@/lib/velocity/gate";

/** What became of a press of Pay. */
export type Pressed =
  | {
      readonly kind: "payment";
      readonly id: string;
      readonly runs: boolean;
      /** It was made before, and not by the card that was typed now. */
      readonly isByOtherCard?: boolean;
    }
  | { readonly kind: "notice"; readonly notice: PageNotice };

export interface Press {
  readonly opened: OpenedSession;
  readonly method: MethodKind;
  readonly form: TypedForm;
  readonly ip: string;
  readonly headers: BrowserHeaders;
  /** Around the frame in which the buyer pays; null for a link by itself. */
  readonly shopPage: string | null;
  readonly locale: Locale;
}

const LEAST_CARD_CENTS = 100;
const SECONDS_PER_MINUTE = 60;

const notice = (told: PageNotice): Pressed => ({ kind: "notice", notice: told });
const problem = (which: Extract<PageNotice, { kind: "problem" }>["problem"]): Pressed =>
  notice({ kind: "problem", problem: which });

interface Ready extends Press {
  readonly key: AttemptKey;
  readonly history: VisitHistory;
  readonly gate: Gate;
  readonly reader: Reader;
}

/** Pays once, however often it is pressed: the key of the form decides (design/checkout.md section 8). */
export async function press(given: Press): Promise<Pressed> {
  const { opened, form, method } = given;
  const { ctx, session } = opened;
  const key = readAttempt(session.id, form.get("attempt") ?? "");
  if (!key) return problem("stale");
  const [known, history] = await inTransaction(
    ctx,
    async (inside) => [await findAttempt(inside, key.key), await visitHistory(inside, session.id, key.visit)] as const,
  );
  if (known)
    return {
      ...paymentIs(paymentOf(known), known.purchaseId !== null),
      ...((await isByOtherCard(ctx, known, form)) && { isByOtherCard: true }),
    };
  const { open } = history;
  if (open && (!open.waits || open.row.method === method)) {
    return paymentIs(paymentOf(open.row), open.row.purchaseId !== null);
  }
  if (!methodKinds(session).includes(method))
    return problem(method === "boleto" && session.pastBoletoDay ? "pastBoleto" : "method");
  // A one-to-one link closes the code that waits by itself; on the others one code per visit is enough too.
  if (open && !isOneToOne(session)) await closeOpen(ctx, open.row);
  if (method === "pix" && history.hasManyCodes) return problem("pixLimit");
  const gate = await openGate(ctx, {
    sessionId: session.id,
    merchantId: session.merchantId,
    visit: key.visit,
    ip: given.ip,
    amount: session.amount,
    captchaEnabled: session.captchaEnabled,
    captcha: captchaOf(form),
    isCard: method === "card" || method === "cards",
    acceptsQuestion: true,
  });
  try {
    const known = hasMasks(form) ? await knownBuyerOf(ctx, session, key.visit) : undefined;
    const reader = readerOf(form, ctx.account.mode === "sandbox", known?.values);
    return await payBy[method]({ ...given, key, history, gate, reader });
  } catch (thrown) {
    return refused(given, key, thrown);
  }
}

const paymentIs = (id: string, runs: boolean): Extract<Pressed, { kind: "payment" }> => ({ kind: "payment", id, runs });

/** A refusal of ours, in the buyer's terms. Of two presses at once the second is sent to the first one's payment. */
async function refused({ opened, method }: Press, key: AttemptKey, thrown: unknown): Promise<Pressed> {
  const { ctx, session } = opened;
  const known = await inTransaction(ctx, async (inside) => {
    const own = await findAttempt(inside, key.key);
    return own ?? (await visitHistory(inside, session.id, key.visit)).open?.row;
  });
  if (known && (known.key === key.key || isConflict(thrown)))
    return paymentIs(paymentOf(known), known.purchaseId !== null);
  if (thrown instanceof AlreadyPaid) {
    const { amount, at, id } = thrown;
    return notice({ kind: "duplicate", amount, at, receipt: id });
  }
  if (thrown instanceof TrialTaken) return problem("trialTaken");
  if (thrown instanceof CardRefused)
    return notice({ kind: "fields", fields: [{ field: fieldOf(thrown.declinedCode) }] });
  if (isQuestionWrong(thrown, method)) return notice({ kind: "fields", fields: [{ field: "question" }] });
  const refusal = refusalFor(thrown);
  if (refusal === undefined) throw thrown;
  if (refusal === "method") return problem("method");
  if (refusal === "unavailable") await tellFailure(ctx, session, refusal);
  const minutes =
    thrown instanceof RequestError ? Math.ceil((thrown.retryAfterSeconds ?? 0) / SECONDS_PER_MINUTE) : undefined;
  return notice({
    kind: "declined",
    refusal,
    actions: waysOut(refusal, await offered(opened, method)),
    ...(minutes ? { minutes } : {}),
  });
}

const offered = async ({ session }: OpenedSession, method: MethodKind): Promise<ReadonlySet<Action>> =>
  offeredActions(session, method);

type Pay = (ready: Ready) => Promise<Pressed>;

const payBy: Record<MethodKind, Pay> = {
  pix: (ready) => (ready.opened.session.subscription ? byBank(ready) : byOffer(ready)),
  boleto: (ready) => byOffer(ready),
  nupay: (ready) => byOffer(ready),
  drip: (ready) => byOffer(ready),
  card: (ready) => byCard(ready),
  cards: (ready) => byCards(ready),
};

/** Runs in the transaction that makes the payment: all of it stands, or none. */
const alongside =
  ({ key, history, gate, method, form, locale, opened }: Ready, person: Person, address?: TypedAddress) =>
  async (inside: Context, payment: { chargeId: string } | { purchaseId: string }): Promise<void> => {
    const { session } = opened;
    const { email } = person;
    const document = person.document.number;
    await recordCheckoutAttempt(
      inside,
      { key, sessionId: session.id, method, replaces: history.open?.row, document },
      payment,
    );
    await gate.pass(inside, payment);
    if (form.get("again") !== "1") await refuseRepeat(inside, session, payment, { visit: key.visit, document });
    await refuseDeclinedCard(inside, session, payment);
    // A subscription writes letters of its own.
    if (!session.subscription)
      await rememberBuyer(inside, payment, { sessionId: session.id, merchantId: session.merchantId, email, locale });
    if (isToRemember(form) && person.name) await remember(inside, { visit: key.visit, person, address });
  };

/** Pix, boleto and wallets: a payment is offered, and waits for its buyer. */
async function byOffer(ready: Ready): Promise<Pressed> {
  const { opened, method, reader } = ready;
  const { ctx, session } = opened;
  const { person, address } =
    method === "boleto" ? readSlipPayer(reader) : { person: readPerson(reader), address: undefined };
  if (reader.problems.length > 0) return notice({ kind: "fields", fields: reader.problems });
  const buyer = await inTransaction(ctx, (inside) => createBuyer(inside, typedBuyer(person, address)));
  const source = { sourceType: "customer" as const, customerId: buyer.id, cardCvv: undefined, customer: undefined };
  const options = { alongside: alongside(ready, person, address) };
  // Guarantee: the members of a saved buyer, as the API's own schema gives them.
  const charge = await offer(ctx, session, method, source as unknown as Source, options, ready);
  return charge.row.status === "failed" ? declinedCharge(ready, charge) : paymentIs(charge.row.id, false);
}

type Source = Parameters<typeof payByPix>[2]["source"];

function offer(
  ctx: Context,
  session: SessionRow,
  method: MethodKind,
  source: Source,
  options: Parameters<typeof payByPix>[3],
  { key, locale, shopPage }: Ready,
): Promise<Charge> {
  if (method === "pix") return payByPix(ctx, session, { source }, options);
  if (method === "boleto") return payByBoleto(ctx, session, { source }, options);
  // Guarantee: what neither waits for a code nor is a card is a wallet, and the session fills in its members.
  const paymentMethod = { paymentType: method } as NewSessionCharge["paymentMethod"];
  return paySession(
    ctx,
    session,
    { paymentMethod, paymentSource: source as NewSessionCharge["paymentSource"] },
    { ...options, returnUrl: returnUrlOf(session.id, key, locale, shopPage) },
  );
}

/** Subscribes by a Pix that authorizes the next ones by being paid; with a trial, by a code that only authorizes. */
async function byBank(ready: Ready): Promise<Pressed> {
  const { opened, reader, locale } = ready;
  const { ctx, session } = opened;
  const person = readPerson(reader);
  demandEmail(session, person, reader);
  if (reader.problems.length > 0) return notice({ kind: "fields", fields: reader.problems });
  const beginning = await beginningOf(ctx, session, person, { installments: 1, locale });
  if (session.subscription?.trial) return byTrial(ready, person, beginning, undefined);
  const charge = await startByBank(ctx, session, beginning, alongside(ready, person));
  return charge.row.status === "failed" ? declinedCharge(ready, charge) : paymentIs(charge.row.id, false);
}

async function byCard(ready: Ready): Promise<Pressed> {
  const { opened, form, reader } = ready;
  const { ctx, session } = opened;
  const { thisMonth, mostParts } = linkMoments(session, now(ctx));
  const asked = form.get("savedCard");
  const savedCard = asked ? (await savedCardsOf(ctx, session)).find(({ id }) => id === asked)?.id : undefined;
  if (asked && !savedCard) return problem("stale");
  const cvv = savedCard ? typedCvv(reader) : undefined;
  const card = savedCard ? undefined : typedCard(reader, thisMonth);
  if (card) refuseBrands(reader, await brandsTaken(ctx, session, "card"), [card]);
  const installments = readInstallments(reader, mostParts);
  const person = savedCard
    ? await holderOf(ctx, session, readEmail(reader))
    : readPerson(reader, card?.cardHolderName ?? "");
  if (session.subscription) demandEmail(session, person, reader);
  if (reader.problems.length > 0) return notice({ kind: "fields", fields: reader.problems });
  const beginning =
    session.subscription && (await beginningOf(ctx, session, person, { installments, locale: ready.locale }));
  if (beginning && session.subscription?.trial)
    return byTrial(ready, person, beginning, card ? { typed: card } : { saved: savedCard ?? "" });
  const source = card
    ? ({ sourceType: "token", tokenId: (await createToken(ctx, { kind: "card", card })).tokenId } as const)
    : ({ sourceType: "card", cardId: savedCard ?? "", cardCvv: cvv, tokenCvv: undefined, card: undefined } as const);
  const charge = await payByCard(
    ctx,
    session,
    {
      source,
      installments,
      ...(beginning ? { customerId: beginning.customerId } : {}),
      fraudAnalysis: analysisOf(person, ready.ip),
      threeDSecure2: await threeDSFor(ctx, session, { ...ready, screen: form.get("screen") ?? "" }),
    },
    {
      subscriptionId: beginning?.id,
      alongside: async (inside, payment) => {
        await alongside(ready, person)(inside, payment);
        if (beginning && "chargeId" in payment) await startWithCharge(inside, session, beginning, payment.chargeId);
      },
    },
  );
  if (beginning) await settleStart(ctx, charge.row.id);
  return charge.row.status === "failed" || charge.row.status === "voided"
    ? declinedCharge(ready, charge)
    : paymentIs(charge.row.id, false);
}

/** Subscribes without a charge, by card or else by a bank; the link's place is taken all the same. */
async function byTrial(
  { opened, key, history, method, gate, form }: Ready,
  person: Person,
  beginning: Beginning,
  card: Parameters<typeof startWithTrial>[3]["card"] | undefined,
): Promise<Pressed> {
  const { ctx, session } = opened;
  const document = person.document.number;
  const trial: Parameters<typeof startTrialByBank>[3] = {
    key: key.key,
    alongside: async (inside, { startId, cardId }) => {
      const attempt = { key, sessionId: session.id, method, replaces: history.open?.row, document };
      await recordCheckoutAttempt(inside, attempt, { startId });
      await refuseSecondTrial(inside, session, { startId, cardId }, document);
      await gate.pass(inside, cardId === undefined ? undefined : { cardId });
      if (isToRemember(form) && person.name) await remember(inside, { visit: key.visit, person, address: undefined });
    },
  };
  const begun: TrialBegun = await (card
    ? startWithTrial(ctx, session, beginning, { ...trial, card })
    : startTrialByBank(ctx, session, beginning, trial));
  if ("startId" in begun) return paymentIs(begun.startId, false);
  return inTransaction(ctx, async (inside) => {
    const { declined } = await visitHistory(inside, session.id, key.visit);
    const told = begun.refusal === undefined ? "unavailable" : declineRefusal(begun.refusal);
    const refusal = shownRefusal(told, declined, gate.standing.isNeutral);
    return notice({ kind: "declined", refusal, actions: waysOut(refusal, await offered(opened, method)) });
  });
}

async function byCards(ready: Ready): Promise<Pressed> {
  const { opened, form, reader } = ready;
  const { ctx, session } = opened;
  const { thisMonth, mostParts } = linkMoments(session, now(ctx));
  const count = form.get("count") === "3" ? 3 : 2;
  const asked = Array.from({ length: count }, (_, card) => form.get(`savedCard${card}`) ?? "");
  const saved = asked.some(Boolean) ? await savedCardsOf(ctx, session) : [];
  if (asked.some((id) => id && !saved.some((card) => card.id === id))) return problem("stale");
  const cards = asked.map((savedCard, card) => {
    const amount = readSharedAmount(reader, LEAST_CARD_CENTS, card, ready.locale);
    return {
      amount,
      savedCard,
      token: savedCard
        ? ({ kind: "cvv", cvv: typedCvv(reader, card) } as const)
        : ({ kind: "card", card: typedCard(reader, thisMonth, card) } as const),
      installments: readInstallments(reader, mostPartsOf(amount, mostParts, session.leastPart ?? 0), card),
    };
  });
  const numbers = cards.map(({ token }) => (token.kind === "card" ? token.card : undefined));
  refuseBrands(reader, await brandsTaken(ctx, session, "cards"), numbers);
  await refuseSameCard(ctx, session, reader, asked, numbers);
  const sum = cards.reduce((total, { amount }) => total + amount, 0);
  const holder = cards.find(({ token }) => token.kind === "card")?.token;
  const person = readPerson(reader, holder?.kind === "card" ? holder.card.cardHolderName : "");
  const holders = cards.map(({ token }, card) =>
    token.kind === "card" ? readHolder(reader, token.card.cardHolderName, card, person) : undefined,
  );
  if (reader.problems.length > 0 || sum !== session.amount) {
    return notice({ kind: "fields", fields: reader.problems, sum });
  }
  const payments: Parameters<typeof payByCards>[2]["payments"] = [];
  for (const [card, { amount, savedCard, token, installments }] of cards.entries()) {
    const { tokenId } = await createToken(ctx, token);
    const source = savedCard ? { cardId: savedCard, cvvToken: tokenId } : { tokenId };
    payments.push({ amount, installments, source, holder: holders[card] });
  }
  const { purchase } = await payByCards(ctx, session, { payments }, { alongside: alongside(ready, person) });
  return paymentIs(purchase.row.id, true);
}

/** The definite no of a bank: shown on the page the buyer is still on. */
async function declinedCharge(ready: Ready, charge: Charge): Promise<Pressed> {
  const { opened, method, key } = ready;
  const refusal = await inTransaction(opened.ctx, async (inside) => {
    // Ends the attempt, so that the next one of the visit counts it.
    await visitHistory(inside, opened.session.id, key.visit);
    const reason = declineOf(charge);
    // Something is wrong with the shop's own contract: the next card would meet it as well.
    if (reason === "invalid_merchant") await tellFailure(inside, opened.session, reason);
    return toldRefusal(inside, opened.session, { chargeId: charge.row.id }, reason);
  });
  return notice({ kind: "declined", refusal, actions: waysOut(refusal, await offered(opened, method)) });
}
