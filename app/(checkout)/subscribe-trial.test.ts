import { expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { paymentTokenOf } from "@/lib/checkout/payment-token";
import { SUBSCRIPTION_INVARIANTS } from "@/lib/invariants/subscriptions";
import { cardFields, PERSON, pathOf, unescaped } from "@/lib/testing/buyer";
import { newBuyer } from "@/lib/testing/checkout-routes";
import { CREDIT, openSession, readSession, type SessionReply, unlikeRows } from "@/lib/testing/sessions";
import { type Club, openClub } from "@/lib/testing/subscriptions";

/** Links whose subscription begins with a trial, paid by the buyer's bank: a code authorizes, and nothing is paid. */
const START = "2027-01-31T10:00:00Z";
const PIX = { paymentType: "pix", expiresIn: 3_600 };
const TRIAL = { interval: "monthly", trial: { days: 7 } };
/** The amount's last two digits say what the simulated buyer does with the code. */
const [REFUSES, NEVER_ANSWERS] = [10_594, 10_595];

const person = { ...PERSON, email: "ana@example.com" };
const typed = { ...person, ...cardFields("approve"), captcha: "sandbox-ok" };
const buyer = (language: "en" | "pt-BR" = "en") =>
  newBuyer({ language, ip: `203.0.113.${Math.floor(Math.random() * 250)}` });

const trialLink = (club: Club, changes: Record<string, unknown> = {}, amount = 10_500): Promise<SessionReply> =>
  openSession(club, {
    paymentMethods: [CREDIT, PIX],
    items: [{ name: "Clube", unitPrice: amount, quantity: 1 }],
    subscription: TRIAL,
    ...changes,
  });

interface Begun {
  id: string;
  status: string;
  method: string;
  journey: string | null;
  mandate: string | null;
  code: string | null;
}

const begunOn = async ({ id }: { id: string }): Promise<Begun[]> => {
  const rows = await systemSql()<Begun[]>`
    select s.id, s.status, s.method, m.journey, m.status as mandate, m.qr_code_data as code from subscriptions s
      left join subscription_mandates m on m.subscription_id = s.id where s.session_id = ${id} order by s.created_at, s.id`;
  return rows.map((row) => ({ ...row }));
};

const lettersOf = async ({ client }: Club): Promise<string[]> => {
  const rows = await systemSql()<{ kind: string }[]>`
    select data ->> 'kind' as kind from emails
     where client_id = ${client.clientId} and template = 'subscription' order by created_at, id`;
  return rows.map(({ kind }) => kind);
};

const chargesOf = async ({ id }: { id: string }): Promise<number> => {
  const [row] = await systemSql()<{ n: number }[]>`select count(*)::int as n from charges where session_id = ${id}`;
  return row?.n ?? 0;
};

async function audited(club: Club): Promise<void> {
  expect(await unlikeRows(club)).toEqual([]);
  for (const { id, sql } of SUBSCRIPTION_INVARIANTS) {
    const picked = `with picked as (select id from subscriptions where client_id = '${club.client.clientId}')`;
    expect([id, await systemSql().unsafe(`${picked} ${sql}`)]).toEqual([id, []]);
  }
}

const places = async (club: Club, { id }: SessionReply) => {
  const { status, multiplePayments } = await readSession(club, id);
  return [status, multiplePayments.pendingCount, multiplePayments.paymentCount];
};

test("a code authorizes the bank once, nothing is paid before the trial is over, and then each cycle is", async () => {
  const club = await openClub(START);
  const session = await trialLink(club);
  const [ana, path] = [await buyer(), pathOf(session)];
  const page = await ana.open(path);
  expect(page.text).toContain("charge your bank account R$105.00 every month by Pix Automático, from Feb 7, 2027.");
  expect(page.text).toContain("Get the code to authorize");
  // The page of a subscription is for cards: a buyer whose bank pays is sent no link to it.
  const byBank = page.text.split("Your bank pays each charge by itself")[1];
  expect(byBank).toContain("E-mail For the receipts");
  expect(byBank).toContain("Receipts go to your e-mail.");
  expect(byBank).not.toContain("link to your subscription");
  const portuguese = await ana.open(`${path}?lang=pt-BR`);
  expect(portuguese.text).toContain("por Pix Automático, a partir de 7 de fev. de 2027. Até lá é grátis");
  const inPortuguese = portuguese.text.split("Seu banco paga cada cobrança sozinho")[1];
  expect(inPortuguese).toContain("Os comprovantes chegam por e-mail.");
  expect(inPortuguese).not.toContain("link da assinatura");
  expect((await ana.send(page, "pix", { ...person, email: "" })).html).toContain('aria-invalid="true"');
  const [code, twice] = await Promise.all([ana.send(page, "pix", person), ana.send(page, "pix", person)]);
  expect(code.path).toBe(twice.path);
  const shown = await ana.open(code.path);
  expect([shown.state, shown.heading]).toEqual(["mandate", "Authorize Pix Automático in your bank’s app"]);
  expect(shown.text).toContain("lets your bank pay R$105.00 every month, from Feb 7, 2027.");
  const [begun, ...others] = await begunOn(session);
  expect(others).toEqual([]);
  expect(begun).toMatchObject({ status: "trialing", journey: "qr", mandate: "created" });
  expect(unescaped(shown.html)).toContain(begun?.code);
  expect(await places(club, session)).toEqual(["created", 1, 0]);
  expect(await lettersOf(club)).toEqual([]);
  // Another browser finds the link in use, and its code.
  const waiting = await (await buyer()).open(path);
  expect([waiting.state, waiting.html.includes(code.path.split("?")[0] ?? "")]).toEqual(["in_use", true]);

  await club.to("2027-01-31T10:05:00Z");
  const started = await ana.open(code.path);
  expect(started.state).toBe("started");
  expect(started.text).toContain("Your bank pays the first charge of R$105.00 by itself, from Feb 7, 2027.");
  expect(started.html).not.toContain("/pay/s/");
  expect(await begunOn(session)).toMatchObject([{ status: "trialing", mandate: "approved" }]);
  expect(await places(club, session)).toEqual(["paid", 0, 1]);
  expect(await club.events(begun?.id ?? "")).toEqual(["created", "trial_started", "updated", "updated"]);
  expect(await lettersOf(club)).toEqual(["started"]);

  await club.to("2027-02-06T23:00:00Z");
  expect([await chargesOf(session), await club.cycles(begun?.id ?? "")]).toEqual([0, []]);
  await club.to("2027-02-12T12:00:00Z");
  expect((await club.cycles(begun?.id ?? "")).map(({ status }) => status)).toEqual(["authorized"]);
  await club.to("2027-03-08T12:00:00Z");
  expect((await club.cycles(begun?.id ?? "")).map(({ status }) => status)).toEqual(["authorized", "authorized"]);
  expect(await lettersOf(club)).toEqual(["started", "trialEnds", "receipt", "receipt"]);
  await audited(club);
}, 90_000);

test("a code that is refused, left or given up begins nothing and gives the link's place back", async () => {
  const club = await openClub(START);
  const refused = await trialLink(club, {}, REFUSES);
  const ana = await buyer();
  const code = await ana.send(await ana.open(pathOf(refused)), "pix", person);
  await club.to("2027-01-31T10:05:00Z");
  const ended = await ana.open(code.path);
  expect([ended.state, ended.heading]).toEqual(["mandateEnded", "Pix Automático was not authorized"]);
  expect(await places(club, refused)).toEqual(["created", 0, 0]);
  expect((await ana.open(pathOf(refused))).state).toBe("open");

  const left = await trialLink(club, {}, NEVER_ANSWERS);
  const bia = await buyer();
  const waits = await bia.send(await bia.open(pathOf(left)), "pix", person);
  expect(waits.text).toContain("Valid until 8:05 AM");
  await club.to("2027-01-31T11:10:00Z");
  expect((await bia.open(waits.path)).state).toBe("mandateEnded");
  expect(await begunOn(left)).toMatchObject([{ status: "canceled", mandate: "expired" }]);

  // A link's place waits for a day at most, and not for the week that a code alone could.
  const long = await trialLink(club, { paymentMethods: [{ ...PIX, expiresIn: 30 * 86_400 }] }, NEVER_ANSWERS);
  const leo = await buyer();
  const kept = await leo.send(await leo.open(pathOf(long)), "pix", person);
  expect(kept.text).toContain("Valid until Feb 1, 2027 at 8:10 AM");
  expect(await places(club, left)).toEqual(["created", 0, 0]);

  // A card instead: the code is closed at the bank first, and only the card's trial stands.
  const other = await trialLink(club, {}, NEVER_ANSWERS);
  const caio = await buyer();
  await caio.send(await caio.open(pathOf(other)), "pix", person);
  const byCard = await caio.send(await caio.open(pathOf(other, "?other=1")), "card", typed);
  expect(byCard.state).toBe("started");
  expect(await begunOn(other)).toMatchObject([
    { method: "pix_automatic", status: "canceled", mandate: "canceled" },
    { method: "credit", status: "trialing" },
  ]);
  expect(await places(club, other)).toEqual(["paid", 0, 1]);

  // The shop cancels the link, or the subscription: the code authorizes nothing any more.
  const canceled = await trialLink(club, {}, NEVER_ANSWERS);
  const dora = await buyer();
  await dora.send(await dora.open(pathOf(canceled)), "pix", person);
  await club.client.make("POST", `/v1/sessions/${canceled.id}/cancel`);
  const byShop = await trialLink(club, {}, NEVER_ANSWERS);
  const eva = await buyer();
  await eva.send(await eva.open(pathOf(byShop)), "pix", person);
  const [mine] = await begunOn(byShop);
  await club.client.make("PATCH", `/v1/subscriptions/${mine?.id}/cancel`, { body: {} });
  await club.to("2027-02-01T10:20:00Z");
  expect(await begunOn(canceled)).toMatchObject([{ status: "canceled", mandate: "canceled" }]);
  expect(await begunOn(byShop)).toMatchObject([{ status: "canceled", mandate: "canceled" }]);
  expect([await places(club, canceled), await places(club, byShop)]).toEqual([
    ["canceled", 0, 0],
    ["created", 0, 0],
  ]);
  // Nobody was told of what never began.
  expect(await lettersOf(club)).toEqual(["started"]);
  await audited(club);
}, 90_000);

test("a trial whose card is declined says what was tried, and names the other way as the link does", async () => {
  const club = await openClub(START);
  const session = await trialLink(club);
  const ana = await buyer("pt-BR");
  const card = { ...typed, ...cardFields("decline:insufficient_funds") };
  const declined = await ana.send(await ana.open(pathOf(session)), "card", card);
  const script = await buyer();
  const told = await script.sendByScript<{ alert: { heading: string; lines: string[]; actions: { label: string }[] } }>(
    await script.open(pathOf(session)),
    "card",
    card,
  );
  expect(told.alert).toMatchObject({
    heading: "Your free trial did not start",
    lines: ["We could not verify your card with its bank.", "You have not been charged."],
  });
  expect(told.alert.actions.map(({ label }) => label)).toEqual(["Use Pix Automático", "Use another card"]);
  // Loaded again, and on the page of that attempt.
  const again = await ana.open(pathOf(session));
  const [begun] = await systemSql()<{ id: string }[]>`
    select id from subscription_starts where session_id = ${session.id} and status = 'failed' order by created_at limit 1`;
  const own = await ana.open(`${pathOf(session)}/p/${paymentTokenOf(begun?.id ?? "")}`);
  expect([declined.state, again.state, own.state]).toEqual(["open", "open", "declined"]);
  expect(own.heading).toBe("Seu teste grátis não começou");
  for (const { text } of [declined, again, own]) {
    expect(text).toContain("Seu teste grátis não começou");
    expect(text).toContain("Não conseguimos verificar seu cartão com o banco. Nada foi cobrado.");
    expect(text).toContain("Usar Pix Automático");
    expect(text).not.toMatch(/Pagamento não aprovado|Pagar com Pix|este valor|concluir o pagamento/);
  }
}, 90_000);

test("who has authorized and cancels in the trial is told, and the link stays paid", async () => {
  const club = await openClub(START);
  const session = await trialLink(club);
  const ana = await buyer("pt-BR");
  const code = await ana.send(await ana.open(pathOf(session)), "pix", person);
  const asked = await ana.send(await ana.open(code.path), "check", {});
  expect([asked.state, asked.text]).toEqual([
    "mandate",
    expect.stringContaining("Seu banco ainda não confirmou a autorização."),
  ]);
  await club.to("2027-01-31T10:05:00Z");
  expect((await ana.open(code.path)).state).toBe("started");
  const again = [await ana.open(pathOf(session)), await (await buyer("pt-BR")).open(pathOf(session))];
  expect(again.map(({ state }) => state)).toEqual(["paid", "paid"]);
  expect(again.map(({ text }) => text)).toEqual([
    expect.stringMatching(/A assinatura deste link já foi feita.*Você já assinou\..*Ver a assinatura/s),
    expect.stringMatching(/A assinatura deste link já foi feita.*A confirmação fica com quem assinou\./s),
  ]);
  const [begun] = await begunOn(session);
  await club.client.make("PATCH", `/v1/subscriptions/${begun?.id}/cancel`, { body: {} });
  await club.to("2027-02-20T10:00:00Z");
  expect(await begunOn(session)).toMatchObject([{ status: "canceled", mandate: "canceled" }]);
  expect(await places(club, session)).toEqual(["paid", 0, 1]);
  expect([await chargesOf(session), await lettersOf(club)]).toEqual([0, ["started", "canceled"]]);
  await audited(club);
}, 90_000);

test("on a link for many a bank's trial is had once by a document, also beside a card's", async () => {
  const club = await openClub(START);
  const session = await trialLink(club, { maxPayments: -1 });
  const sent = async (method: "pix" | "card", fields: Record<string, string>) => {
    const who = await buyer();
    return who.send(await who.open(pathOf(session)), method, fields);
  };
  expect((await sent("pix", person)).state).toMatch(/mandate|processing/);
  for (const again of [await sent("pix", person), await sent("card", typed)])
    expect(again.text).toContain("has already had the free trial on this link");
  expect((await sent("card", { ...typed, document: "529.982.247-25" })).state).toBe("started");
  await club.to("2027-01-31T10:05:00Z");
  expect(await places(club, session)).toEqual(["created", 0, 2]);
  // A visit that changes its mind leaves one code, of which the bank is told.
  const quiet = await trialLink(club, { maxPayments: -1 }, NEVER_ANSWERS);
  const ana = await buyer();
  await ana.send(await ana.open(pathOf(quiet)), "pix", person);
  expect((await ana.send(await ana.open(pathOf(quiet, "?other=1")), "card", typed)).state).toBe("started");
  expect(await begunOn(quiet)).toMatchObject([
    { method: "pix_automatic", status: "canceled", mandate: "canceled" },
    { method: "credit", status: "trialing" },
  ]);
  expect(await places(club, quiet)).toEqual(["created", 0, 1]);
  await audited(club);
}, 90_000);
