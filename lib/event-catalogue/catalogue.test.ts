import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020";
import addFormats from "ajv-formats";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemSql } from "@/db/client";
import { chargeMachine } from "@/lib/charges/machine";
import { EVENT_CATALOGUE } from "@/lib/event-catalogue/catalogue";
import { exampleOf } from "@/lib/event-catalogue/example";
import { CHARGE_EVENTS, EVENTS_OF_MACHINES, PURCHASE_EVENTS, SESSION_EVENTS } from "@/lib/event-catalogue/transitions";
import { webhookDocuments, webhookSchemas } from "@/lib/event-catalogue/webhook-documents";
import { EVENTS } from "@/lib/event-names";
import { schemaBook } from "@/lib/http/openapi/schemas";
import { openShop, type Shop } from "@/lib/providers/sandbox/api/testing";
import { purchaseMachine } from "@/lib/purchases/machine";
import { SANDBOX_OUTCOMES, sandboxPan } from "@/lib/reference/sandbox-pans";
import { sessionMachine } from "@/lib/sessions/machine";

describe("the catalogue", () => {
  it("names every event once and says when each is sent", () => {
    const names = EVENT_CATALOGUE.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toHaveLength(16 + 5 + 5 + 5 + 5 + 10 + 5 + 3 + 2 + 2 + 2);
    for (const { when } of EVENT_CATALOGUE) expect(when).toMatch(/^[A-Z].+\.$/);
  });

  it("has the events of every row of the charge's machine, and no other row", () => {
    expect(Object.keys(CHARGE_EVENTS).sort()).toEqual([...new Set(chargeMachine.rows.map(([id]) => id))].sort());
    for (const lists of Object.values(CHARGE_EVENTS)) {
      expect(lists.length).toBeGreaterThan(0);
      for (const event of lists.flat()) expect(Object.keys(EVENTS.transaction)).toContain(event);
    }
  });

  it("has the event of every fact of the purchase's machine: one that leads to another status is called like it", () => {
    const facts = purchaseMachine.rows.map(([, , fact]) => fact);
    expect(Object.keys(PURCHASE_EVENTS).sort()).toEqual([...new Set(facts)].sort());
    for (const [, from, fact, to] of purchaseMachine.rows) if (from !== to) expect(PURCHASE_EVENTS[fact]).toBe(to);
    for (const event of Object.values(PURCHASE_EVENTS))
      if (event) expect(Object.keys(EVENTS.purchase)).toContain(event);
  });

  it("knows every state machine of the product, and how each of its rows is announced", () => {
    const sources = readdirSync("lib", { recursive: true, encoding: "utf8" }).filter(
      (file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && file !== "machine.ts",
    );
    const machines = sources.flatMap((file) => [
      ...readFileSync(join("lib", file), "utf8").matchAll(/defineMachine(?:<\w+>)?\(\s*"([^"]+)"/g),
    ]);
    expect(machines.map(([, name]) => name).sort()).toEqual(Object.keys(EVENTS_OF_MACHINES).sort());
    expect(Object.keys(SESSION_EVENTS).sort()).toEqual(sessionMachine.rows.map(([id]) => id).sort());
    for (const [id, from, , to] of sessionMachine.rows) {
      if (SESSION_EVENTS[id] !== null) expect([from, SESSION_EVENTS[id]]).toEqual([from, to]);
    }
    for (const event of Object.values(SESSION_EVENTS)) if (event) expect(Object.keys(EVENTS.session)).toContain(event);
  });

  it("has an example of each that its own schema in the document takes", () => {
    const book = schemaBook(webhookSchemas());
    const documents = webhookDocuments(book);
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats(ajv);
    ajv.addSchema({ $id: "document", components: { schemas: book.components } });
    for (const declared of EVENT_CATALOGUE) {
      const schema = documents[declared.name]?.post.requestBody?.content["application/json"]?.schema ?? {};
      const absolute: unknown = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/'));
      const validate = ajv.compile(absolute as object);
      const example = exampleOf(declared);
      expect([declared.name, validate(example) ? [] : validate.errors]).toEqual([declared.name, []]);
      expect(Object.keys(example.data as object).length).toBeGreaterThan(1);
    }
  });

  it("shows each object as it stands after its event", () => {
    const statusIn = (name: string) => {
      const declared = EVENT_CATALOGUE.find((event) => event.name === name);
      return declared && Object(exampleOf(declared).data).status;
    };
    const names = [
      ...["transaction.authorized", "transaction.partially_voided", "card.failed", "purchase.paid"],
      ...["monitor.fired", "monitor.recovered"],
    ];
    expect(names.map(statusIn)).toEqual(["authorized", "authorized", "failed", "paid", "firing", "quiet"]);
  });

  it("makes the webhooks of the document: one for each event, with the six headers and a body that ajv takes", () => {
    const book = schemaBook(webhookSchemas());
    const documents = webhookDocuments(book);
    expect(Object.keys(documents)).toEqual(EVENT_CATALOGUE.map(({ name }) => name));
    const ids = Object.values(documents).map(({ post }) => post.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(documents["seller.registration_review.opened"]?.post).toMatchObject({
      operationId: "onSellerRegistrationReviewOpened",
      parameters: { length: 6 },
    });
  });
});

interface Move {
  charge_id: string;
  from_status: string;
  to_status: string;
  events: string[];
}

/** Whatever the simulator can do to a card, a Pix or a boleto, all on one account, with the clock moved once for all. */
async function live(shop: Shop): Promise<void> {
  const outcomes = SANDBOX_OUTCOMES.filter(
    (outcome) => (!outcome.startsWith("decline:") || outcome === "decline:generic") && !outcome.startsWith("3ds"),
  );
  const ids: { id: string; capture: boolean; isDisputed: boolean }[] = [];
  await Promise.all(
    outcomes.map(async (outcome) => {
      for (const capture of [true, false]) {
        const { body } = await shop.pay(sandboxPan(outcome), { capture });
        ids.push({ id: body.id, capture, isDisputed: outcome.startsWith("chargeback") });
      }
    }),
  );
  const [, unpaid] = [await shop.pix(4_990), await shop.pix(5_991)];
  await shop.boleto(25_000);
  const released = await shop.pix(7_000);
  await shop.call("POST", `/v1/charges/${released.id}/void`, { body: {} });
  expect(unpaid.status).toBe("pending");
  await shop.advance("PT15S");
  for (const { id, capture } of ids) {
    const { status } = await shop.charge(id);
    if (!capture && status === "pre_authorized")
      await shop.call("POST", `/v1/charges/${id}/capture`, { body: { amount: 8_000 } });
  }
  for (const outcome of ["approve", "void_refused_settled", "void_timeout_voided", "authorisation_expired"] as const) {
    const { body } = await shop.pay(sandboxPan(outcome), { capture: false });
    await shop.call("POST", `/v1/charges/${body.id}/void`, { body: {} });
  }
  await shop.advance("PT20S");
  for (const [index, { id, isDisputed }] of ids.entries()) {
    if (isDisputed || (await shop.charge(id)).status !== "authorized") continue;
    await shop.call("POST", `/v1/charges/${id}/void`, { body: index % 4 === 0 ? { amount: 3_000 } : {} });
  }
  const { body: undone } = await shop.pay(sandboxPan("approve"), { capture: true, amount: 993 });
  await shop.advance("P2D");
  await shop.call("POST", `/v1/charges/${undone.id}/void`, { body: {} });
  await shop.advance("P12D");
}

/** Moves that only a provider makes who answers one thing and then another, or only now and then. */
const CONTRADICTIONS = new Set([
  "capture_pending pre_authorized",
  "capture_pending refund_pending",
  "capture_pending voided",
  "pending refund_pending",
  "refund_pending authorized",
  "refund_pending pre_authorized",
]);

describe("every transition of a charge", () => {
  let owner: postgres.Sql;
  let shop: Shop;
  let moves: Move[];

  beforeAll(async () => {
    // The role that owns the tables: only it may put a witness beside them.
    owner = postgres(process.env.DATABASE_OWNER_URL ?? "", { max: 1, onnotice: () => undefined });
    await owner`create table seen_moves (charge_id uuid, from_status text, to_status text, xact xid8)`;
    await owner`create table seen_events (entity_id uuid, event text, xact xid8, id uuid)`;
    await owner`grant insert on seen_moves, seen_events to trilho_app, trilho_system`;
    await owner.unsafe(`
      create function see_move() returns trigger language plpgsql as $$ begin
        if new.status <> old.status then
          insert into seen_moves values (new.id, old.status, new.status, pg_current_xact_id());
        end if; return null; end $$;
      create trigger see_move after update on charges for each row execute function see_move();
      create function see_event() returns trigger language plpgsql as $$ begin
        insert into seen_events values (new.entity_id, new.event, pg_current_xact_id(), new.id); return null; end $$;
      create trigger see_event after insert on events for each row execute function see_event();`);
    shop = await openShop();
    await live(shop);
    moves = await owner<Move[]>`
      select m.charge_id, m.from_status, m.to_status,
             array(select e.event from seen_events e join events v on v.id = e.id
                    where e.entity_id = m.charge_id and e.xact = m.xact order by v.entity_version) as events
        from seen_moves m`;
  }, 180_000);
  afterAll(() => owner.end());

  it("is announced in its own transaction, by the events of one of its rows", () => {
    const wrong = moves.filter(({ from_status, to_status, events }) => {
      const lists = chargeMachine.rows
        .filter(([, from, , to]) => from === from_status && to === to_status)
        .flatMap(([id]) => CHARGE_EVENTS[id] ?? []);
      return !lists.some((list) => list.join(" ") === events.join(" "));
    });
    expect(wrong).toEqual([]);
  });

  it("was walked for most rows of the machine: what is left needs a provider that contradicts itself", () => {
    const walked = new Set(moves.map(({ from_status, to_status }) => `${from_status} ${to_status}`));
    const all = new Set(chargeMachine.rows.map(([, from, , to]) => `${from} ${to}`));
    expect([...all].filter((pair) => !walked.has(pair) && !CONTRADICTIONS.has(pair))).toEqual([]);
  });

  it("shows in its events the documented object, versions without a gap and growing moments", async () => {
    const book = schemaBook(webhookSchemas());
    const documents = webhookDocuments(book);
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats(ajv);
    ajv.addSchema({ $id: "document", components: { schemas: book.components } });
    const rows = await systemSql()<{ body: Buffer; entity_id: string; entity_version: number; created_at: Date }[]>`
      select body, entity_id, entity_version, created_at from events where client_id = ${shop.clientId}
       order by entity_id, entity_version`;
    expect(rows.length).toBeGreaterThan(100);
    const validators = new Map<string, ReturnType<typeof ajv.compile>>();
    const last = new Map<string, { version: number; at: Date }>();
    for (const { body, entity_id, entity_version, created_at } of rows) {
      // Guarantee: the bytes that `emit` wrote.
      const event = JSON.parse(body.toString()) as { object: string; event: string };
      const name = `${event.object}.${event.event}`;
      const schema = documents[name]?.post.requestBody?.content["application/json"]?.schema ?? {};
      const absolute: unknown = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/'));
      const validate = validators.get(name) ?? ajv.compile(absolute as object);
      validators.set(name, validate);
      expect([name, validate(event) ? [] : validate.errors]).toEqual([name, []]);
      const previous = last.get(entity_id);
      expect(entity_version).toBe((previous?.version ?? 0) + 1);
      if (previous) expect(created_at.getTime()).toBeGreaterThan(previous.at.getTime());
      last.set(entity_id, { version: entity_version, at: created_at });
    }
  });
});
