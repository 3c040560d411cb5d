import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { purchaseEventOf, SESSION_EVENTS } from "@/lib/event-catalogue/transitions";
import { newId } from "@/lib/ids";
import { purchaseMachine } from "@/lib/purchases/machine";
import { type AskedResolution, planResolution, resolveReview } from "@/lib/purchases/review/service";
import { sessionMachine } from "@/lib/sessions/machine";
import { openClient } from "@/lib/testing/api";
import { withMerchant } from "@/lib/testing/payments";
import { TRIALS, type Trial } from "@/lib/testing/purchase-trials";
import { advance, bought, changePurchase, work } from "@/lib/testing/purchases";
import { CREDIT, chargeByCard, openSession } from "@/lib/testing/sessions";

/** One transition as the database saw it, with the events of its object that the same transaction wrote. */
interface Move {
  id: string;
  from: string;
  to: string;
  /** Of a purchase: the fact, from the row that its move was written with. */
  fact: string | null;
  events: string[];
}

let owner: postgres.Sql;
beforeAll(async () => {
  // The role that owns the tables: only it may put a witness beside them.
  owner = postgres(process.env.DATABASE_OWNER_URL ?? "", { max: 1, onnotice: () => undefined });
  await owner.unsafe(`
    create table seen_moves (what text, id uuid, "from" text, "to" text, fact text, xact xid8);
    create table seen_events (id uuid, event text, version int, xact xid8);
    grant insert on seen_moves, seen_events to trilho_app, trilho_system;
    create function see_status() returns trigger language plpgsql as $$ begin
      if new.status <> old.status then
        insert into seen_moves values (tg_argv[0], new.id, old.status, new.status, null, pg_current_xact_id());
      end if; return null; end $$;
    create trigger see_session after update on sessions for each row execute function see_status('session');
    create trigger see_purchase after update on purchases for each row execute function see_status('purchase status');
    create function see_row() returns trigger language plpgsql as $$ begin
      if new.machine = 'purchase' then
        insert into seen_moves values ('purchase', new.purchase_id, new."from", new."to", new.fact, pg_current_xact_id());
      end if; return null; end $$;
    create trigger see_row after insert on purchase_moves for each row execute function see_row();
    create function see_event() returns trigger language plpgsql as $$ begin
      insert into seen_events values (new.entity_id, new.event, new.entity_version, pg_current_xact_id());
      return null; end $$;
    create trigger see_event after insert on events for each row execute function see_event();`);
});
afterAll(() => owner.end());

const movesOf = (what: string) => owner<Move[]>`
  select m.id, m."from", m."to", m.fact,
         array(select e.event from seen_events e where e.id = m.id and e.xact = m.xact order by e.version) as events
    from seen_moves m where m.what = ${what}`;

/** A story for each fact of the purchase's machine; what a person resolves is played below. */
const STORIES = [
  "captured by the client",
  "the first card is refused, the second never asked",
  "held, then voided",
  "paid, then given back",
  "the second capture is refused: what the first card paid goes back",
  "the first capture is refused: nothing was taken",
  "nobody captures: released six hours before the holds end",
];

async function play({ acts = [], outcomes, capture = false, scenario }: Trial): Promise<void> {
  const client = await openClient();
  const { id } = await bought(await withMerchant(client), { outcomes, capture, ...(scenario ? { scenario } : {}) });
  for (const act of acts) {
    if ("advance" in act) await advance(client, act.advance);
    else {
      expect((await changePurchase(client, id, "capture" in act ? "capture" : "void")).status).toBe(202);
      await work(client);
    }
  }
}

async function review(): Promise<void> {
  const client = await openClient();
  const { id } = await bought(await withMerchant(client), {
    outcomes: ["approve", "amount_mismatch_minus_1"],
    capture: true,
  });
  await advance(client, "P1D");
  const asked: AskedResolution = {
    purchaseId: id,
    slots: [{ slotIndex: 1, truth: "absent", providerTransactionId: "tx-read-by-a-person" }],
    followUp: undefined,
  };
  const ctx = { ...(await client.context()), principal: { kind: "operator" as const, operatorId: newId() } };
  const { plan } = await planResolution(ctx, asked);
  await resolveReview(ctx, { ...asked, plan, key: newId(), aloneUpTo: null });
  await work(client);
}

describe("every transition of a purchase", () => {
  let moves: Move[];
  beforeAll(async () => {
    for (const trial of TRIALS.filter(({ story }) => STORIES.includes(story))) await play(trial);
    await review();
    moves = await movesOf("purchase");
  }, 180_000);

  it("is announced in its own transaction by its event, or by none where nothing shows from outside", async () => {
    expect(
      moves.filter(({ from, fact, events }) => events.join(" ") !== (purchaseEventOf(from, fact ?? "") ?? "")),
    ).toEqual([]);
    // A status cannot change beside its table.
    const pairs = (of: Move[]) => of.map(({ id, from, to }) => `${id} ${from} ${to}`).sort();
    expect(pairs(await movesOf("purchase status"))).toEqual(pairs(moves.filter(({ from, to }) => from !== to)));
  });

  it("was walked for every fact of the machine", () => {
    const walked = new Set(moves.map(({ fact }) => fact));
    expect(purchaseMachine.rows.map(([, , fact]) => fact).filter((fact) => !walked.has(fact))).toEqual([]);
  });

  it("begins with the event of its creation", async () => {
    expect(
      await owner`
      select p.id from purchases p
       where not exists (select from events e where e.entity_id = p.id and e.entity_version = 1 and e.event = 'pending')
    `,
    ).toEqual([]);
  });
});

describe("every transition of a session", () => {
  let moves: Move[];
  beforeAll(async () => {
    const shop = await withMerchant(await openClient());
    const [canceled, counted] = [
      await openSession(shop),
      await openSession(shop, { paymentMethods: [CREDIT], maxPayments: 1 }),
    ];
    await shop.client.make("POST", `/v1/sessions/${canceled.id}/cancel`, { body: {} });
    await chargeByCard(shop, counted.id);
    await shop.client.make("PATCH", `/v1/sessions/${counted.id}`, { body: { isActive: true, maxPayments: 2 } });
    const once = await openSession(shop, { paymentMethods: [CREDIT] });
    const { body } = await chargeByCard(shop, once.id);
    await shop.client.make("POST", `/v1/charges/${body.id}/void`, { body: {} });
    moves = await movesOf("session");
  }, 60_000);

  it("is announced in its own transaction by the event of its row, or by none where nothing shows from outside", () => {
    const eventOf = ({ from, to }: Move) => {
      const [row] = sessionMachine.rows.filter((each) => each[1] === from && each[3] === to);
      return row ? (SESSION_EVENTS[row[0]] ?? "") : "no row of the machine";
    };
    expect(moves.filter((move) => move.events.join(" ") !== eventOf(move))).toEqual([]);
  });

  it("was walked for every row of the machine", () => {
    const walked = new Set(moves.map(({ from, to }) => `${from} ${to}`));
    expect(sessionMachine.rows.filter(([, from, , to]) => !walked.has(`${from} ${to}`))).toEqual([]);
  });

  it("begins with the event of its creation", async () => {
    expect(
      await owner`
      select s.id from sessions s
       where not exists (select from events e where e.entity_id = s.id and e.entity_version = 1 and e.event = 'created')
    `,
    ).toEqual([]);
  });
});
