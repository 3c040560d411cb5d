import { expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { saoPauloDay } from "@/lib/brazil/bank-calendar";
import { now } from "@/lib/context";
import { breakView, listBreaks } from "@/lib/finance/breaks";
import { dayRows, reconciliation } from "@/lib/finance/reconciliation";
import { brought, credits, statementView } from "@/lib/finance/statements";
import { waitingDecisions } from "@/lib/finance/waiting";
import { SamePerson } from "@/lib/operators/second-person";
import { openProposals } from "@/lib/proposals/service";
import { assignDiscrepancy, endClosing, noteDiscrepancy, proposeClosing } from "@/lib/settlement/discrepancies";
import { keepStatement, takeKeptStatement } from "@/lib/settlement/statement-files";
import { judgeStatement, takeStatement } from "@/lib/settlement/upload";
import { openClient } from "@/lib/testing/api";
import { payByCard, type Shop, voidIt, withMerchant } from "@/lib/testing/payments";
import { person } from "@/lib/testing/people";

const HEADER = "date,providerTxId,instalment,gross,cost,net";

async function sell(shop: Shop, amount: number) {
  const { body } = await payByCard(shop, { amount, capture: true });
  const [row] = await systemSql()<{ tx: string; provider: string }[]>`
    select provider_tx_id as tx, provider_id as provider from charges where id = ${body.id}`;
  return { id: body.id, tx: row?.tx ?? "", provider: row?.provider ?? "" };
}

test("a statement that people bring is taken whole or not at all; what differs is somebody's, until two people settle it", {
  timeout: 60_000,
}, async () => {
  const shop = await withMerchant(await openClient());
  const { client, merchant } = shop;
  const [paid, short, absent] = [await sell(shop, 10_000), await sell(shop, 4_000), await sell(shop, 2_500)];
  const { provider } = paid;
  const [first, second] = [await person(client, "finance"), await person(client, "owner")];
  const api = judgeStatement(first, provider, HEADER);
  await expect(api).rejects.toMatchObject({ status: 400 });
  // A provider that tells nothing by itself.
  await systemSql()`update providers set kind = 'STRIPE' where id = ${provider}`;
  await client.make("POST", "/v1/sandbox/clock", { body: { advance: "P45D" } });
  const [days] = await systemSql()<{ due: string; last: string }[]>`
    select original_payment_date::text as due, (original_payment_date + 10)::text as last
      from receivables where charge_id = ${paid.id}`;
  const { due = "", last = "" } = days ?? {};
  const [later, fourth] = [await person(client, "finance"), await person(client, "viewer")];
  const acting = { ...first, account: later.account };
  const other = { ...second, account: later.account };

  const good = [`${due},${paid.tx},1,100.00,2.49,97.51`, `${due},${short.tx},1,39.99,1.00,38.99`];
  const file = [HEADER, ...good, `${last},of-nobody,1,7.77,0,7.77`].join("\r\n");
  const linesOf = async () => systemSql()`select 1 from statement_lines where merchant_id = ${merchant.id}`;
  const bad: [string, string][] = [
    [`${due},${paid.tx},1,100.00,2.49,97.52`, "wrong_sum"],
    [`${due},${paid.tx},1,100.001,2.49,97.51`, "malformed"],
    [`2026-02-30,${paid.tx},1,100.00,2.49,97.51`, "malformed"],
    [`2999-01-02,${paid.tx},2,1.00,0,1.00`, "not_over"],
    [`${due},${short.tx},1,39.99,1.00,38.99`, "doubled"],
    [`${last},${short.tx},1,39.99,1.00,38.99`, "doubled"],
  ];
  for (const [line, verdict] of bad) {
    const judged = await judgeStatement(acting, provider, `${file}\n${line}`);
    expect([judged.isTakeable, judged.lines.at(-1)?.verdict]).toEqual([false, verdict]);
    await expect(takeStatement(acting, provider, `${file}\n${line}`)).rejects.toMatchObject({ status: 400 });
  }
  await expect(takeStatement(acting, provider, "a,b\n1,2")).rejects.toMatchObject({ status: 400 });
  expect(await linesOf()).toHaveLength(0);

  // What nobody brought a statement of waits for one.
  const reconciled = async () => (await reconciliation(other, "owner", { until: due })).days;
  expect(await reconciled()).toMatchObject([{ day: due, count: 3, waiting: 3, missing: 0 }]);
  const [one, two] = await Promise.all([takeStatement(acting, provider, file), takeStatement(acting, provider, file)]);
  expect([one, two].map(({ lines }) => lines.map(({ verdict }) => verdict).join()).sort()).toEqual([
    "known,known,known",
    "new,new,foreign",
  ]);
  const changed = file.replace("38.99", "38.98").replace("39.99", "39.98").replaceAll(",", ";").replaceAll(".", ",");
  expect((await judgeStatement(acting, provider, changed)).lines[1]?.verdict).toBe("changed");
  // An instalment that was settled is not settled again on another day.
  const again = `${HEADER}\n${good[0]?.replace(due, last)}`;
  expect((await judgeStatement(acting, provider, again)).lines[0]?.verdict).toBe("changed");
  expect(await linesOf()).toHaveLength(3);

  const open = async () => (await listBreaks(other, "owner", { isClosed: false })).items.map(({ row }) => row);
  expect(await reconciled()).toMatchObject([{ day: due, waiting: 0, missing: 1, differing: 1 }]);
  expect((await open()).find(({ kind }) => kind === "settlement_mismatch")?.day).toBe(due);
  const shown = ({ kind, expected, found }: Awaited<ReturnType<typeof open>>[number]) => [kind, expected, found];
  expect((await open()).map(shown).sort()).toEqual([
    ["settlement_mismatch", 4_000, 3_999],
    ["settlement_missing", 2_500, 0],
    ["settlement_unowned", 0, 777],
  ]);
  expect((await open()).find(({ kind }) => kind === "settlement_missing")?.chargeId).toBe(absent.id);
  const subjects = await Promise.all(
    (await open()).map(async (row) => (await breakView(other, "owner", row.id)).subject),
  );
  expect(subjects).toEqual(
    expect.arrayContaining([
      { kind: "payment", id: short.id, installment: undefined },
      { kind: "payment", id: absent.id, installment: 1 },
      { kind: "line", name: "of-nobody", provider: "Simulator" },
    ]),
  );
  const { id = "" } = (await open()).find(({ kind }) => kind === "settlement_mismatch") ?? {};
  await expect(assignDiscrepancy(acting, id, operator(fourth))).rejects.toMatchObject({ status: 400 });
  await assignDiscrepancy(acting, id, operator(other));
  await noteDiscrepancy(acting, id, "One cent of rounding, confirmed by the acquirer");
  expect(await proposeClosing(acting, id, "The acquirer rounds down")).toBe("proposed");
  const [waiting] = await openProposals(other, { subjectId: id });
  expect(await waitingDecisions(other, "owner", ["break_closed", "adjustment"])).toMatchObject([
    { id: waiting?.id, kind: "break_closed", subjectId: id, amount: -1, who: "finance", isOwn: false },
  ]);
  expect(await waitingDecisions(acting, "finance", ["break_closed"])).toMatchObject([{ isOwn: true }]);
  expect(await waitingDecisions(other, "viewer", ["break_closed"])).toEqual([]);
  await expect(endClosing(acting, id, waiting?.id ?? "", "approved")).rejects.toBeInstanceOf(SamePerson);
  const elsewhere = (await open()).find(({ kind }) => kind === "settlement_missing")?.id ?? "";
  await expect(endClosing(other, elsewhere, waiting?.id ?? "", "approved")).rejects.toMatchObject({ status: 404 });
  const rowsOf = async () => (await dayRows(other, "owner", { day: due, providerId: provider })).items;
  expect((await rowsOf()).map(({ state, breakId }) => [state, breakId]).sort()).toEqual([
    ["differs", id],
    ["missing", elsewhere],
  ]);
  await endClosing(other, id, waiting?.id ?? "", "approved");
  // The days say what the list of discrepancies says: what two people closed is open nowhere.
  expect((await rowsOf()).map(({ state, breakId }) => [state, breakId]).sort()).toEqual([
    ["closed", id],
    ["missing", elsewhere],
  ]);
  expect(await breakView(other, "owner", id)).toMatchObject({
    row: {
      closedBy: "people",
      ownerId: operator(other),
      note: "One cent of rounding, confirmed by the acquirer",
    },
    closing: { asked: "finance", approved: "owner", reason: "The acquirer rounds down" },
  });
  await expect(proposeClosing(acting, id, "again")).rejects.toMatchObject({ status: 400 });
  const rest = `${HEADER}\n${last},${absent.tx},1,25.00,0.62,24.38`;
  const bytesOf = (text: string) => ({ name: "acquirer.csv", bytes: Buffer.from(text, "latin1") });
  for (const bytes of [Buffer.alloc(0), Buffer.from("a\0b"), Buffer.alloc(4_000_000, 65)]) {
    await expect(keepStatement(acting, provider, { name: "x", bytes })).rejects.toMatchObject({ status: 400 });
  }
  // Looked at first, and nothing is booked of it; the same file is the same row, and is taken once.
  const wrong = await keepStatement(acting, provider, bytesOf(`${rest}\n${last},${paid.tx},1,1.00,0,2.00`));
  await expect(takeKeptStatement(acting, wrong)).rejects.toMatchObject({ status: 400 });
  const [kept, twice] = await Promise.all([1, 2].map(() => keepStatement(acting, provider, bytesOf(rest))));
  expect(twice).toBe(kept);
  expect(await linesOf()).toHaveLength(3);
  const ends = await Promise.allSettled([1, 2].map(() => takeKeptStatement(other, kept ?? "")));
  expect(ends.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect((await brought(other, "owner", {})).items.map(({ refused, isTaken, net }) => [refused, isTaken, net])).toEqual(
    [
      [0, true, 2_438],
      [1, false, 2_438],
    ],
  );
  expect(await statementView(other, "owner", wrong)).toMatchObject({ isTakeable: false, counts: { wrong_sum: 1 } });
  // Each line opens its payment, and one of nobody's the discrepancy that it opened.
  const unowned = (await open()).find(({ kind }) => kind === "settlement_unowned")?.id;
  const nobodys = await keepStatement(acting, provider, bytesOf(`${HEADER}\n${last},of-nobody,1,7.77,0,7.77`));
  expect((await statementView(other, "owner", nobodys)).lines).toMatchObject([
    { paymentId: undefined, breakId: unowned },
  ]);
  expect((await statementView(other, "owner", kept ?? "")).lines).toMatchObject([
    { paymentId: absent.id, breakId: undefined },
  ]);
  const told = await credits(other, "owner", { until: last });
  expect(told.days.map(({ day, sales, cost, unowned, credited }) => [day, sales, cost, unowned, credited])).toEqual([
    [last, 2_500, 62, 777, 3_215],
  ]);
  // What came closes by itself, and what people settled stays so.
  expect((await open()).map(({ kind }) => kind)).toEqual(["settlement_unowned"]);
  // As many lines as a busy month has.
  const many = Array.from({ length: 6_000 }, (_, place) => `${last},nobody-${place},1,0.00,0,0.00`);
  await takeStatement(acting, provider, [HEADER, ...many].join("\n"));
  expect(await linesOf()).toHaveLength(6_004);
});

test("refunds of one sale on one day are told apart, as many of an amount as the books have", {
  timeout: 60_000,
}, async () => {
  const shop = await withMerchant(await openClient());
  const sale = await sell(shop, 10_000);
  for (const amount of [1_000, 1_000, 700]) {
    expect(await voidIt(shop.client, sale.id, { amount })).toMatchObject({ status: 201 });
  }
  await systemSql()`update providers set kind = 'STRIPE' where id = ${sale.provider}`;
  const ctx = await person(shop.client, "finance");
  const day = saoPauloDay(now(ctx));
  const line = (reais: string, tx = sale.tx) => `${day},${tx},1,-${reais},0,-${reais}`;
  const file = (lines: string[]) => [HEADER, ...lines].join("\n");
  const verdicts = async (...lines: string[]) =>
    (await judgeStatement(ctx, sale.provider, file(lines))).lines.map(({ verdict }) => verdict).join(" ");
  const [ten, seven, odd] = [line("10.00"), line("7.00"), line("3.00")];
  const [theirs, more] = [line("10.00", "of-nobody"), line("9.00", "of-nobody")];

  expect(await verdicts(ten, seven, ten)).toBe("new new new");
  expect(await verdicts(ten, ten, ten)).toBe("new new doubled");
  expect(await verdicts(ten, seven, seven, odd)).toBe("new new doubled new");
  expect(await verdicts(theirs, more, theirs)).toBe("foreign foreign doubled");

  await takeStatement(ctx, sale.provider, file([ten, seven, theirs]));
  expect(await verdicts(theirs, seven, ten)).toBe("known known known");
  expect(await verdicts(ten)).toBe("known");
  // Said anew with another amount or cost it is no further refund, unless the books have that one too.
  expect(await verdicts(odd)).toBe("changed");
  expect(await verdicts(more)).toBe("changed");
  expect(await verdicts(`${day},${sale.tx},1,-10.00,1.00,-11.00`)).toBe("changed");
  expect(await verdicts(theirs, more)).toBe("known foreign");

  await takeStatement(ctx, sale.provider, file([seven, ten, ten]));
  expect(await verdicts(ten, ten, ten, seven)).toBe("known known doubled known");
  const [booked] = await systemSql()`
    select count(*)::int as lines, sum(amount)::int as amount from statement_lines where charge_id = ${sale.id}`;
  expect(booked).toEqual({ lines: 3, amount: -2_700 });
});

const operator = ({ principal }: { principal: { kind: string; operatorId?: string } }): string =>
  principal.operatorId ?? "";
