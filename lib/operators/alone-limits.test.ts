import { expect, test } from "vitest";
import { systemDb, systemSql } from "@/db/client";
import { aloneUpTo } from "@/lib/charges/operator-service";
import { getCharge } from "@/lib/charges/queries";
import { inTransaction } from "@/lib/context";
import { newId } from "@/lib/ids";
import {
  aloneLimitsOf,
  approveAloneLimits,
  changeAloneLimits,
  endAloneLimits,
  MOST_ALONE,
} from "@/lib/operators/alone-limits";
import { aloneLimitsIn, SamePerson } from "@/lib/operators/second-person";
import { openClient, type TestClient } from "@/lib/testing/api";
import { payByCard, withMerchant } from "@/lib/testing/payments";
import { person } from "@/lib/testing/people";

const USUAL = { reviews: 1_000_00, refunds: 10_000_00 };
const HIGHER = { reviews: 1_000_00, refunds: 25_000_00 };

const limitsOf = ({ clientId }: TestClient) => aloneLimitsIn(systemDb(), clientId);
const actsOf = ({ clientId }: TestClient) =>
  systemSql()<{ action: string; two: boolean }[]>`
    select action, second_actor is not null as two from audit_log
     where client_id = ${clientId} and action like 'account.limits%' order by at, action`;
const toldOf = async ({ clientId }: TestClient) =>
  (
    await systemSql()<{ kind: string }[]>`
      select kind from notices where client_id = ${clientId} and kind like 'limits%' order by kind`
  ).map(({ kind }) => kind);

test("begin as they always were, and only an amount of cents up to the most is one", async () => {
  const client = await openClient();
  const owner = await person(client, "owner");
  expect(await limitsOf(client)).toEqual(USUAL);
  for (const unfit of [-1, 0.5, MOST_ALONE + 1, Number.NaN])
    await expect(changeAloneLimits(owner, { ...USUAL, refunds: unfit }), String(unfit)).rejects.toMatchObject({
      details: [expect.stringMatching(/^refunds/)],
    });
  expect([await limitsOf(client), [...(await actsOf(client))]]).toEqual([USUAL, []]);
});

test("an owner alone raises them at once, in the audit log", async () => {
  const client = await openClient();
  const owner = await person(client, "owner");
  await person(client, "operations");
  expect(await changeAloneLimits(owner, HIGHER)).toBe("done");
  expect(await limitsOf(client)).toEqual(HIGHER);
  expect([...(await actsOf(client))]).toEqual([{ action: "account.limits", two: false }]);
});

test("with another owner a lower one holds at once, a higher one when that owner agrees, and not before", async () => {
  const client = await openClient();
  const [asks, agrees] = [await person(client, "owner"), await person(client, "owner")];
  const lower = { reviews: 500_00, refunds: 10_000_00 };
  expect(await changeAloneLimits(asks, lower)).toBe("done");
  expect(await toldOf(client)).toEqual(["limits_changed"]);
  const raised = { reviews: 400_00, refunds: 25_000_00 };
  expect(await changeAloneLimits(asks, raised)).toBe("proposed");
  expect(await changeAloneLimits(asks, raised)).toBe("proposed");
  expect([await limitsOf(client), await toldOf(client)]).toEqual([lower, ["limits_changed", "limits_waiting"]]);
  const { proposal } = await aloneLimitsOf(asks);
  expect(proposal).toMatchObject({ isOwn: true, limits: raised });
  await expect(approveAloneLimits(asks, proposal?.id ?? "")).rejects.toThrow(SamePerson);
  await expect(approveAloneLimits(agrees, newId())).rejects.toThrow(/not found/);
  await approveAloneLimits(agrees, proposal?.id ?? "");
  expect([await limitsOf(client), await toldOf(client)]).toEqual([raised, ["limits_changed", "limits_changed"]]);
  expect([...(await actsOf(client))].map(({ action, two }) => [action, two])).toEqual([
    ["account.limits", false],
    ["account.limits.propose", false],
    ["account.limits", true],
  ]);
  await expect(approveAloneLimits(agrees, proposal?.id ?? "")).rejects.toThrow(/not found/);
});

test.each(["withdrawn", "refused", "outdated"])("a request that was %s is agreed to by nobody", async (how) => {
  const client = await openClient();
  const [asks, other] = [await person(client, "owner"), await person(client, "owner")];
  await changeAloneLimits(asks, HIGHER);
  const { proposal } = await aloneLimitsOf(other);
  const id = proposal?.id ?? "";
  if (how === "withdrawn") await endAloneLimits(asks, id);
  if (how === "refused") await endAloneLimits(other, id);
  if (how === "outdated") await changeAloneLimits(other, { ...USUAL, reviews: 1 });
  await expect(approveAloneLimits(other, id)).rejects.toThrow(/not found/);
  expect((await limitsOf(client)).refunds).toBe(USUAL.refunds);
  expect((await aloneLimitsOf(other)).proposal).toBeUndefined();
});

test("a refund is held against the limit as its own transaction sees it", async () => {
  const shop = await withMerchant(await openClient());
  const [owner] = [await person(shop.client, "owner"), await person(shop.client, "owner")];
  const { id } = (await payByCard(shop, { amount: 900_00, capture: true })).body;
  const above = () =>
    inTransaction(
      owner,
      async (inside) => (await aloneUpTo(inside, "refund", (await getCharge(inside, id)).row))?.limit,
    );
  expect(await above()).toBe(USUAL.refunds);
  await changeAloneLimits(owner, { ...USUAL, refunds: 800_00 });
  expect(await above()).toBe(800_00);
});
