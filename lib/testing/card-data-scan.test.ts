import { describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { inTransaction } from "@/lib/context";
import { flushRequestLog } from "@/lib/http/request-log";
import { newId } from "@/lib/ids";
import { openClient } from "@/lib/testing/api";
import { scanForCardData, scanText, scanTexts } from "@/lib/testing/card-data-scan";
import { testDatabaseUrl } from "@/lib/testing/database";
import { storePan } from "@/lib/vault/cards";

const PAN = "4111229876543219";
const CANARIES = { pans: [PAN], cvvs: ["739"] };
const base64 = (text: string) => Buffer.from(text).toString("base64");
const formsIn = (text: string) => scanText("text", text, CANARIES).map(({ form }) => form);

describe("the scan finds a number", () => {
  test.each([
    ["as it is", `{"number":"${PAN}"}`, "plain"],
    ["with blanks", "4111 2298 7654 3219", "separated"],
    ["with hyphens and dots", "4111-2298.7654-3219", "separated"],
    ["in an address", "?n=4111%202298%207654%203219", "separated"],
    ["backwards", "9123456789221114", "reversed"],
    ["in hexadecimal", Buffer.from(PAN).toString("hex").toUpperCase(), "hex"],
    ["in base64", base64(PAN), "base64"],
    ["in base64 of a longer text", base64(`xy{"number":"${PAN}"}`), "base64"],
    ["with blanks, in base64", base64("card 4111 2298 7654 3219"), "base64"],
    ["in base64 twice", base64(base64(`number ${PAN}`)), "base64"],
  ])("%s", (_, text, form) => {
    expect(formsIn(`before ${text} after`)).toContain(form);
  });

  test("and nothing where six digits and four are shown", () => {
    expect(formsIn('{"first6digits":"411122","last4digits":"3219","fingerprint":"q83vEjRWeJA"}')).toEqual([]);
  });
});

describe("the scan finds a CVV", () => {
  test.each(['{"cardCvv":"739"}', "cvvUpdate=739", '{\\"cvv\\":\\"739\\"}', "security_code: 739", "CVC2 739"])(
    "%s",
    (text) => {
      expect(formsIn(text)).toEqual(["cvv in context"]);
    },
  );

  test.each(['{"amount":739}', "cvv 7391", "1739", "status=739ms"])("and not in %s", (text) => {
    expect(formsIn(text)).toEqual([]);
  });
});

test("packed digits in bytes are found too", async () => {
  const id = newId();
  await systemSql()`insert into events (id, client_id, object, event, entity_id, entity_version, body, created_at)
    values (${id}, ${newId()}, 'card', 'active', ${newId()}, 1, ${Buffer.from(PAN, "hex")}, now())`;
  const found = await scanForCardData(await testDatabaseUrl(), CANARIES);
  await systemSql()`delete from events where id = ${id}`;
  expect(found).toEqual([{ where: "public.events.body", form: "plain", canary: "411122…3219" }]);
});

test("texts are reported by name, each finding once, the number cut short", () => {
  const hits = scanTexts({ log: `${PAN} and ${PAN}`, answer: "nothing" }, CANARIES);
  expect(hits).toEqual([{ where: "log", form: "plain", canary: "411122…3219" }]);
});

describe("the scan of a database", () => {
  test("sees text, JSON and bytes of every schema, whatever row security hides", async () => {
    const url = await testDatabaseUrl();
    const id = newId();
    await systemSql()`insert into request_logs
      (id, client_id, request_id, key_kind, method, path, route, status, duration_ms, replayed, request_body, created_at)
      values (${id}, ${newId()}, ${`x${PAN}x`}, 'secret', 'GET', '/', '/', 200, 1, false,
              ${systemSql().json({ card: { cvv: "739" } })}, now())`;
    await systemSql()`insert into events (id, client_id, object, event, entity_id, entity_version, body, created_at)
      values (${id}, ${newId()}, 'card', 'active', ${newId()}, 1, ${Buffer.from(`{"number":"${PAN}"}`)}, now())`;
    const found = await scanForCardData(url, CANARIES);
    expect(found.map(({ where, form }) => `${where}: ${form}`).sort()).toEqual([
      "public.events.body: plain",
      "public.request_logs.request_body: cvv in context",
      "public.request_logs.request_id: plain",
    ]);
    await systemSql()`delete from request_logs where id = ${id}`;
    await systemSql()`delete from events where id = ${id}`;
  });

  test("finds nothing after cards were tokenised, saved, refused and stored, not even in the vault", async () => {
    const client = await openClient();
    const card = { cardHolderName: "Ana", cardNumber: PAN, cardCvv: "739", cardExpirationDate: "12/2039" };
    const answers: Record<string, string> = {};
    const call = async (name: string, path: string, body: unknown) => {
      const reply = await client.call<{ tokenId: string }>("POST", path, { body, idempotencyKey: newId() });
      answers[name] = reply.text;
      return reply.body.tokenId;
    };
    const tokenId = await call("token", "/v1/tokens", card);
    await call("card", "/v1/cards", { tokenId });
    await call("cvv", "/v1/tokens", { cvvUpdate: "739" });
    await call("malformed", "/v1/tokens", { ...card, cardHolderName: "" });
    await call("refused", "/v1/tokens", { ...card, cardExpirationDate: "01/2020" });
    await call("in the wrong place", "/v1/cards", { tokenId, cardNumber: PAN });
    await call("in a customer", "/v1/customers", { name: PAN });
    await inTransaction(await client.context(), ({ account }) => storePan(account.id, PAN));
    await flushRequestLog();
    expect(answers.token).toContain("tokenId");
    expect(scanTexts(answers, CANARIES)).toEqual([]);
    expect(await scanForCardData(await testDatabaseUrl(), CANARIES)).toEqual([]);
  });
});
