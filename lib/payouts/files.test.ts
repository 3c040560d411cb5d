import { expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { addDays, nextBankDay } from "@/lib/brazil/bank-calendar";
import { type Context, inTransaction, now } from "@/lib/context";
import { listBatchesForOperator } from "@/lib/finance/batches";
import { payoutFilesView } from "@/lib/finance/payout-files";
import { returnView } from "@/lib/finance/payout-return";
import { newId } from "@/lib/ids";
import { SamePerson } from "@/lib/operators/second-person";
import { holdPayouts, resumePayouts } from "@/lib/payouts/holds";
import { judgeReturn } from "@/lib/payouts/judged-return";
import { markableOf } from "@/lib/payouts/marking";
import { endFile, fileAt, proposeFile } from "@/lib/payouts/remittances";
import { endReturn, keepReturn, proposeReturn } from "@/lib/payouts/returns";
import type { List } from "@/lib/testing/api-client";
import { available, broken, onPayday, PAYOUT_ACCOUNT, to } from "@/lib/testing/payouts";
import { person } from "@/lib/testing/people";

/** What a bank makes of a remittance: the same records, with what it says of each payment by its place in the file. */
function answered(file: string, said: readonly { codes: string; movement?: string; paidOn?: string }[]): string {
  let place = 0;
  return file
    .split("\r\n")
    .map((line) => {
      if (line[7] === "0") return `${line.slice(0, 142)}2${line.slice(143)}`;
      if (line[7] !== "3" || line[13] !== "A") return line;
      const { codes, movement = "0", paidOn } = said[place++] ?? { codes: "" };
      const paid = paidOn === undefined ? "0".repeat(23) : paidOn.split("-").reverse().join("") + line.slice(119, 134);
      const marked = `${line.slice(0, 14)}${movement}${line.slice(15, 134)}${"BANK-1".padEnd(20)}${paid}`;
      return `${marked}${line.slice(177, 230)}${codes.padEnd(10)}`;
    })
    .join("\r\n");
}

test("a file is made once by two people, and its return says how each transfer ended", {
  timeout: 90_000,
}, async () => {
  const { client, merchant, ids, day } = await onPayday("file", 4);
  const [first, second] = [await person(client, "owner"), await person(client, "finance")];
  const view = () => payoutFilesView(second, "finance");
  const statuses = async () =>
    Promise.all(
      ids.map(async (id) => {
        const path = `/v1/payouts/payment-batches?sellerId=${id}&order=asc`;
        return (await client.make<List<{ status: string }>>("GET", path)).items[0]?.status;
      }),
    );
  const transfers = async () =>
    (
      await systemSql()<{ status: string }[]>`
        select status from payout_transfers where merchant_id = ${merchant.id} and file_number is not null
         order by file_number`
    ).map(({ status }) => status);
  expect((await view()).payers).toMatchObject([{ transfers: 4, amount: 4 * 9_633, unfit: [], waiting: undefined }]);
  expect(await proposeFile(first, merchant.id, "payday")).toBe("proposed");
  const asked = (await view()).payers[0]?.waiting?.id ?? "";
  await expect(endFile(first, merchant.id, asked, "approved")).rejects.toBeInstanceOf(SamePerson);
  // Approved is what was seen: from another account nothing is sent.
  const payFrom = (accountNumber: string) => systemSql()`
    update merchants set payout_account = payout_account || ${systemSql().json({ accountNumber })} where id = ${merchant.id}`;
  expect((await view()).payers[0]?.waiting).toMatchObject({ transfers: 4, amount: 4 * 9_633, isStale: false });
  await payFrom("67891");
  expect((await view()).payers[0]?.waiting?.isStale).toBe(true);
  await expect(endFile(second, merchant.id, asked, "approved")).rejects.toMatchObject({ status: 400 });
  await payFrom(PAYOUT_ACCOUNT.accountNumber);
  await Promise.allSettled([1, 2, 3].map(() => endFile(second, merchant.id, asked, "approved")));
  const [file, ...others] = (await view()).files;
  expect([file?.sequence, file?.transfers, others]).toEqual([1, 4, []]);
  const { content } = await fileAt(second, file?.id ?? "");
  // A file, and a transfer by the name that a bank knows it by, lead to their batches.
  const searched = async (search: string) => (await listBatchesForOperator(second, "finance", { search })).items.length;
  expect(
    await Promise.all([file?.id ?? "", `TR00000100001${merchant.id.slice(-7).toUpperCase()}`].map(searched)),
  ).toEqual([4, 1]);
  expect((await fileAt(second, file?.id ?? "")).content).toBe(content);
  // Another merchant that pays from this account has other names in its files.
  expect(content).toContain(`TR00000100001${merchant.id.slice(-7).toUpperCase()}`);
  await expect(proposeFile(first, merchant.id, "again")).rejects.toMatchObject({ status: 400 });
  expect([await transfers(), await statuses()]).toEqual([Array(4).fill("sent"), Array(4).fill("pending")]);

  const keep = (text: string) => keepReturn(first, merchant.id, { name: "a.ret", bytes: Buffer.from(text) });
  const bring = async (text: string) => proposeReturn(first, await keep(text), "today's");
  const verdicts = async (text: string) =>
    (await inTransaction(first, (ctx) => judgeReturn(ctx, merchant.id, text))).map(({ verdict }) => verdict);
  const approve = async () => {
    const file = (await view()).returns.find(({ isWaiting }) => isWaiting);
    const { waiting } = await returnView(second, "finance", file?.id ?? "");
    expect(waiting).toMatchObject({ subjectId: file?.id, isOwn: false, isStale: false });
    await endReturn(second, waiting?.subjectId ?? "", waiting?.id ?? "", "approved");
  };
  const good = answered(content, [{ codes: "00", paidOn: day }, { codes: "PC" }, { codes: "7X" }, { codes: "BD" }]);
  const lines = good.split("\r\n");
  const change = (place: number, from: number, text: string) =>
    lines
      .map((line, index) =>
        index === place ? line.slice(0, from - 1) + text + line.slice(from - 1 + text.length) : line,
      )
      .join("\r\n");
  const bad: [string, string][] = [
    [content, "not_a_return"],
    ["", "not_a_return"],
    [lines.slice(0, 6).join("\r\n"), "truncated"],
    [lines.filter((_, index) => index !== 3).join("\r\n"), "truncated"],
    [change(3, 200, "").slice(0, -30), "truncated"],
    [change(lines.length - 3, 24, "000000000000000001"), "wrong_sum"],
    [change(2, 74, "TR99999900001"), "foreign"],
    [change(0, 1, "001"), "foreign"],
    [change(0, 33, "OTHER"), "foreign"],
    [change(4, 74, "TR00000100001"), "doubled"],
  ];
  for (const [text, problem] of bad) await expect(bring(text), problem).rejects.toMatchObject({ problem });
  const empty = [lines[0], `${(lines.at(-2) ?? "").slice(0, 17)}000000000002${" ".repeat(211)}`].join("\r\n");
  const elsewhere = keepReturn(first, newId(), { name: "a.ret", bytes: Buffer.from(empty) });
  await expect(elsewhere).rejects.toMatchObject({ status: 404 });
  expect((await view()).returns).toEqual([]);
  // A line that cannot be is a discrepancy as soon as it is seen; the others stay good.
  const differing = () => systemSql()`
    select id, expected::int, found::int from settlement_breaks
     where merchant_id = ${merchant.id} and kind = 'transfer_contradicted' and closed_at is null order by expected`;
  for (const [from, text, found] of [
    [163, "000000000000001", 1],
    [155, "01012099", 9_633],
  ] as const) {
    const wrong = change(2, from, text);
    expect(await verdicts(wrong)).toEqual(["contradicts", "failed", "unknown", "known"]);
    const { lines: shown } = await returnView(second, "finance", await keep(wrong));
    const [contradicting, failed] = shown;
    expect([contradicting?.seller, failed?.seller, failed?.breakId]).toEqual(["Ana Souza", "Ana Souza", undefined]);
    expect(await differing()).toMatchObject([{ id: contradicting?.breakId, found }]);
  }
  expect(await bring(good)).toBe("proposed");
  expect(await transfers()).toEqual(Array(4).fill("sent"));
  await approve();
  const told = await systemSql()<{ path: string }[]>`
    select path from notices where client_id = ${client.clientId} and kind = 'payout_file_waiting' order by created_at, id`;
  expect([...new Set(told.map(({ path }) => path))]).toEqual([
    "/dashboard/payouts/files",
    `/dashboard/payouts/files/returns/${(await view()).returns[0]?.id}`,
  ]);
  expect(await transfers()).toEqual(["settled", "failed", "unknown", "sent"]);
  const [read] = (await view()).returns;
  expect((await returnView(second, "finance", read?.id ?? "")).counts).toEqual({
    paid: 1,
    failed: 1,
    unknown: 1,
    known: 1,
  });
  expect((await statuses()).sort()).toEqual(["failed", "paid", "pending", "pending"]);
  expect(await differing()).toEqual([]);
  await expect(bring(good)).rejects.toMatchObject({ status: 400 });
  // The same again in other bytes changes nothing; of another end the good lines are taken.
  expect(await bring(`${good}\r\n`)).toBe("proposed");
  await approve();
  expect(await transfers()).toEqual(["settled", "failed", "unknown", "sent"]);
  const opposite = answered(content, [{ codes: "AN" }, { codes: "PC" }, { codes: "00", paidOn: day }, { codes: "BD" }]);
  expect(await verdicts(opposite)).toEqual(["contradicts", "known", "paid", "known"]);
  expect(await bring(opposite)).toBe("proposed");
  await approve();
  expect(await transfers()).toEqual(["settled", "failed", "settled", "sent"]);
  // What was failed and the bank now calls paid is no news to take, but somebody's to find out about.
  const late = answered(content, [
    { codes: "00", paidOn: day },
    { codes: "00", paidOn: day },
    { codes: "7X" },
    { codes: "BD" },
  ]);
  await keep(late);
  expect(await differing()).toMatchObject([
    { expected: 0, found: 9_633 },
    { expected: 9_633, found: 0 },
  ]);

  // One that came back before anybody heard that it was paid is as good as never paid.
  const back = [
    { codes: "PF", movement: "3" },
    { codes: "PC", movement: "3" },
    { codes: "00", paidOn: day },
    { codes: "BD" },
  ];
  expect(await verdicts(answered(content, back))).toEqual(["returned", "known", "known", "known"]);
  expect(await bring(answered(content, back))).toBe("proposed");
  await approve();
  expect(await transfers()).toEqual(["returned", "failed", "settled", "sent"]);
  // A line that says nothing new may be older than the alarm, and does not silence it.
  expect(await differing()).toMatchObject([{ expected: 0, found: 9_633 }]);
  const paid = await Promise.all(ids.map((id) => available(client, id)));
  expect(paid.sort()).toEqual([0, 0, 10_000, 9_633].sort());

  // A file that no return tells of for three bank days is looked at by people.
  let later = day;
  for (let passed = 0; passed < 4; passed += 1) later = nextBankDay(later);
  await to(client, addDays(later, 0), "18:00:00");
  expect((await transfers())[3]).toBe("unknown");
  const open = await systemSql()`
    select kind from settlement_breaks where merchant_id = ${merchant.id} and closed_at is null and kind = 'transfer_unknown'`;
  expect(open).toMatchObject([{ kind: "transfer_unknown" }]);
  const [silent] = await systemSql()<{ id: string }[]>`
    select batch_id as id from payout_transfers where merchant_id = ${merchant.id} and status = 'unknown'`;
  const acting = { ...second, account: (await person(client, "viewer")).account };
  expect(now(acting).toISOString() > later).toBe(true);
  expect((await markableOf(acting, silent?.id ?? "")).marks).toEqual(["paid", "failed"]);
  expect(await broken(client)).toEqual([]);
});

test("what waits for a file, and what its return leaves unknown, is looked at every morning", {
  timeout: 60_000,
}, async () => {
  const { client, merchant, ids, day } = await onPayday("file", 2);
  const [moved = "", kept = ""] = ids;
  const states = () => systemSql()<{ id: string; status: string }[]>`
    select seller_id as id, status from payout_transfers where merchant_id = ${merchant.id} order by seller_id`;
  // Before a weekend the new account would be paid with the next file already.
  const transferPolicy = { transferEnabled: false };
  await client.make("PATCH", `/v1/sellers/${moved}`, {
    body: { bankAccount: { accountNumber: "7654321" }, transferPolicy },
  });
  const next = nextBankDay(day);
  await to(client, next, "04:00:00");
  const inOrder = [
    { id: moved, status: "failed" },
    { id: kept, status: "created" },
  ].sort((a, b) => (a.id < b.id ? -1 : 1));
  expect(await states()).toEqual(inOrder);
  await to(client, next, "12:00:00");
  const owner = await person(client, "owner");
  expect(await proposeFile(owner, merchant.id, "payday")).toBe("done");
  const [file] = (await payoutFilesView(owner, "owner")).files;
  const { content } = await fileAt(owner, file?.id ?? "");
  const text = answered(content, [{ codes: "7X" }]);
  const bytes = Buffer.from(text);
  expect(await proposeReturn(owner, await keepReturn(owner, merchant.id, { name: "a.ret", bytes }), "today's")).toBe(
    "done",
  );
  let third = next;
  for (let passed = 0; passed < 4; passed += 1) third = nextBankDay(third);
  await to(client, third, "18:00:00");
  const open = await systemSql()`
    select kind from settlement_breaks where merchant_id = ${merchant.id} and closed_at is null and kind like 'transfer%'`;
  expect(open).toEqual([{ kind: "transfer_unknown" }]);

  // Another merchant of the same agreement takes the next number, and what the bank says of the first changes nothing.
  const beside = await onPayday("file", 3, { of: client });
  const held = beside.ids.slice(1);
  for (const id of held) await holdPayouts(owner, id, "a check");
  expect(await proposeFile(owner, beside.merchant.id, "payday")).toBe("done");
  const told = await keepReturn(owner, beside.merchant.id, { name: "a.ret", bytes });
  const shown = async (ctx: Context) => (await returnView(ctx, "owner", told)).lines.map(({ verdict }) => verdict);
  expect(await shown(owner)).toEqual(["elsewhere"]);
  // Who is limited to the other merchant is told nothing of it.
  expect(await shown({ ...owner, merchants: [beside.merchant.id] })).toEqual([]);

  // By another agreement its files count from 1 again, and what it pays has names of its own all the same.
  const payoutAccount = { ...PAYOUT_ACCOUNT, agreement: "OTHER 9" };
  await client.make("PATCH", `/v1/merchants/${beside.merchant.id}`, { body: { payoutAccount } });
  for (const id of held) {
    await resumePayouts(owner, id);
    expect(await proposeFile(owner, beside.merchant.id, "payday")).toBe("done");
  }
  const files = await systemSql()`
    select merchant_id as merchant, sequence from payout_files where client_id = ${client.clientId} order by id`;
  expect(files).toEqual([
    { merchant: merchant.id, sequence: 1 },
    { merchant: beside.merchant.id, sequence: 2 },
    { merchant: beside.merchant.id, sequence: 1 },
    { merchant: beside.merchant.id, sequence: 2 },
  ]);
  expect(await broken(client)).toEqual([]);
});

test("no file pays a seller that its acquirer pays by itself: people mark what it sent", {
  timeout: 60_000,
}, async () => {
  const { client, merchant, ids } = await onPayday("file", 2, {
    before: ([atPagarme]) => systemSql()`
      update seller_registrations set provider_type = 'PAGARME_V5' where seller_id = ${atPagarme ?? ""}`,
  });
  const rails = await systemSql()<{ id: string; rail: string }[]>`
    select seller_id as id, rail from payout_transfers where merchant_id = ${merchant.id}`;
  expect(new Map(rails.map(({ id, rail }) => [id, rail]))).toEqual(
    new Map([
      [ids[0], "none"],
      [ids[1], "file"],
    ]),
  );
  const [first, second] = [await person(client, "owner"), await person(client, "finance")];
  const { payers } = await payoutFilesView(second, "finance");
  expect(payers).toMatchObject([{ transfers: 1, amount: 9_633 }]);
  expect(await proposeFile(first, merchant.id, "payday")).toBe("proposed");
  expect(await broken(client)).toEqual([]);
});
