import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { openShop, type Shop, THREE_DS, withAnalyst } from "@/lib/providers/sandbox/api/testing";
import { type SandboxOutcome, sandboxPan } from "@/lib/reference/sandbox-pans";
import { cardData, openToken } from "@/lib/testing/payments";
import { buy, work } from "@/lib/testing/purchases";

/**
 * Every row that a payment writes, whichever way it is written: the digests were taken when each row still had a
 * statement of its own. `ROWS=keep` takes them again, after a change that is meant.
 */
const KEPT = new URL("rows.json", import.meta.url);
const isKeeping = process.env.ROWS === "keep";
type Digests = Record<string, Record<string, string>>;
// Guarantee: this test writes the file.
const kept = (existsSync(KEPT) ? JSON.parse(readFileSync(KEPT, "utf8")) : {}) as Digests;

const TABLES = [
  "charges",
  "transaction_requests",
  "routing_decisions",
  "cards",
  "card_tokens",
  "card_attempts",
  "card_credentials",
  "idempotency_keys",
  "events",
  "due_jobs",
  "journals",
  "transfers",
  "ledger_accounts",
  "receivables",
  "customers",
  "purchases",
  "purchase_payments",
  "purchase_operations",
  "purchase_moves",
] as const;

type Act = { capture?: number | null; void?: number | null; advance?: string };

const card = (outcome: SandboxOutcome, changes: Record<string, unknown> = {}, acts: Act[] = [], analysed = false) => ({
  analysed,
  run: (shop: Shop) => paid(shop, sandboxPan(outcome, "visa"), changes, acts),
});

async function paid(shop: Shop, pan: string, changes: Record<string, unknown>, acts: Act[]): Promise<void> {
  const { body } = await shop.pay(pan, changes, { idempotencyKey: "one" });
  await follow(shop, body.id, acts);
}

async function follow(shop: Shop, id: string, acts: Act[]): Promise<void> {
  for (const [index, act] of acts.entries()) {
    if (act.advance) await shop.advance(act.advance);
    for (const path of ["capture", "void"] as const) {
      const amount = act[path];
      if (amount === undefined) continue;
      const body = amount === null ? {} : { amount };
      await shop.call("POST", `/v1/charges/${id}/${path}`, { body, idempotencyKey: `then ${index}` });
    }
  }
}

const byToken = (capture: boolean, outcome: SandboxOutcome = "approve") => ({
  analysed: false,
  async run(shop: Shop) {
    const tokenId = await openToken(shop, cardData(outcome));
    await shop.call("POST", "/v1/charges", {
      idempotencyKey: "one",
      body: {
        merchantId: shop.merchantId,
        amount: 10_000,
        capture,
        description: "Sapatos",
        paymentMethod: { paymentType: "credit", installments: 3, recurrence: "initial" },
        paymentSource: { sourceType: "token", tokenId },
      },
    });
  },
});

const SCENARIOS: Record<string, { analysed: boolean; run(shop: Shop): Promise<unknown> }> = {
  "a token, held": byToken(false),
  "a token, captured": byToken(true),
  "a token, declined": byToken(true, "decline:insufficient_funds"),
  "a card, captured": card("approve"),
  "held, captured in part, given back in parts": card("approve", { capture: false }, [
    { capture: 8_000 },
    { void: 3_000 },
    { void: null },
  ]),
  "held and released": card("approve", { capture: false }, [{ void: null }]),
  "a lost card": card("decline:lost_card"),
  "unknown, then found": card("timeout_authorised_at_provider", {}, [{ advance: "PT10S" }]),
  "never settled": card("pending_forever"),
  "a capture refused": card("capture_refused", { capture: false }, [{ capture: null }]),
  "a capture unknown, then found": card("capture_timeout_captured", { capture: false }, [
    { capture: null },
    { advance: "PT1M" },
  ]),
  "charged back": card("chargeback_full", {}, [{ advance: "P2D" }]),
  "analysed and denied": card("antifraud_review_deny", {}, [{ advance: "PT10S" }], true),
  "challenged and approved": card("3ds_challenge_ok", { threeDSecure2: THREE_DS }, [{ advance: "PT15S" }]),
  "a Pix that expires": {
    analysed: false,
    run: async (shop) => follow(shop, (await shop.pix()).id, [{ advance: "P2D" }]),
  },
  "a boleto that is canceled": {
    analysed: false,
    run: async (shop) => follow(shop, (await shop.boleto()).id, [{ void: null }]),
  },
  "a purchase, paid": { analysed: false, run: (shop) => bought(shop, ["approve", "approve"]) },
  "a purchase, undone": { analysed: false, run: (shop) => bought(shop, ["approve", "decline:insufficient_funds"]) },
};

async function bought(shop: Shop, outcomes: SandboxOutcome[]): Promise<void> {
  const merchant = { id: shop.merchantId, providerId: shop.providerId };
  await buy({ client: shop, merchant }, { outcomes, capture: true, idempotencyKey: "one" });
  await work(shop);
}

describe("the rows of a payment", () => {
  for (const [name, { analysed, run }] of Object.entries(SCENARIOS)) {
    test(name, async () => {
      const shop = await openShop(analysed ? withAnalyst() : {});
      await shop.advance("PT1S");
      await run(shop);
      const rows = await rowsOf(shop.clientId);
      const digests = Object.fromEntries(Object.entries(rows).map(([table, own]) => [table, digestOf(own)]));
      if (isKeeping) {
        kept[name] = digests;
        writeFileSync(KEPT, `${JSON.stringify(kept, null, 2)}\n`);
        if (process.env.ROWS_TEXT)
          writeFileSync(`${process.env.ROWS_TEXT}/${name}.json`, JSON.stringify(rows, null, 1));
      }
      const changed = Object.keys(rows).filter((table) => kept[name]?.[table] !== digests[table]);
      if (process.env.ROWS_TEXT && changed.length > 0) {
        writeFileSync(`${process.env.ROWS_TEXT}/${name}.new.json`, JSON.stringify(rows, null, 1));
      }
      expect(changed).toEqual([]);
    });
  }
});

/** What the merchant's day does meanwhile, which no payment writes. */
const OTHERS: Readonly<Record<string, string>> = {
  due_jobs: "and kind <> 'merchant.day'",
  events: "and object <> 'payout'",
};

/** The bytes that a repeat is given, wherever they are kept. */
const AS_ANSWERED = `- array['body_event', 'body_from', 'body_length'] || jsonb_build_object('body',
  coalesce((select substring(e.body from t.body_from + 1 for t.body_length) from events e where e.id = t.body_event), '') || t.body)`;
/** Rows as payments write them: whether a batch was cut since depends on the day of the week. */
const AS_WRITTEN: Readonly<Record<string, string>> = {
  idempotency_keys: AS_ANSWERED,
  receivables: `|| '{"batch_id": null}'`,
};

async function rowsOf(clientId: string): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {};
  for (const table of TABLES) {
    const found = await systemSql().unsafe<{ row: Record<string, unknown> }[]>(
      `select to_jsonb(t) ${AS_WRITTEN[table] ?? ""} as row from ${table} t
        where client_id = $1 ${OTHERS[table] ?? ""}`,
      [clientId],
    );
    rows[table] = found.map(({ row }) => told(row)).sort();
  }
  return rows;
}

/** Without what differs from one run to the next: ids, moments and numbers made from them. */
function told(row: Record<string, unknown>): string {
  const body = typeof row.body === "string" ? Buffer.from(row.body.slice(2), "hex").toString("utf8") : undefined;
  const members = body === undefined || body === "" ? row : { ...row, body: JSON.parse(body) as unknown };
  return masked(JSON.stringify(members, (name, value: unknown) => (MASKED.test(name) && value !== null ? "…" : value)));
}

const MASKED =
  /^(fingerprint|reference|idempotencyKey|(network_?)?authorization_?code|authorization_?nsu|transaction_?id|networkTransactionId|network_transaction_id|nsu|authCode|endToEndId|response_?ms|responseTs|tx|raw|details|qrCode.*|barcode.*|expiresDate|email|lease_until|public_key|pix|boleto|threeDSecure2|three_d_secure2|civil_date|.*payment_date|lane|hour|weekday|buyer)$/i;

const masked = (text: string): string =>
  text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "id")
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g, "then")
    .replace(/[0-9a-f]{32,}/g, "hex");

const digestOf = (rows: readonly string[]): string =>
  `${rows.length} ${createHash("sha256").update(rows.join("\n")).digest("hex").slice(0, 16)}`;
