import { expect, test } from "vitest";
import { systemDb, systemSql } from "@/db/client";
import { newId } from "@/lib/ids";
import { secondPersonAbove } from "@/lib/operators/second-person";
import { createOperator } from "@/lib/sign-in/service";
import { openClient, openMerchant, type TestClient } from "@/lib/testing/api";

const LIMIT = 1_000_00;

async function joined({ clientId }: TestClient, role: "owner" | "operations", merchants?: readonly string[]) {
  const email = `person-${newId().slice(-8)}@equipe.example`;
  const password = "correct horse battery staple";
  const { id } = await createOperator(systemDb(), { email, name: "Bia Reis", password, clientId, role });
  if (merchants)
    await systemSql()`update memberships set merchant_ids = ${[...merchants]}::uuid[] where operator_id = ${id}`;
  return id;
}

test("somebody for whom the payment's merchant does not exist is not its second person", async () => {
  const client = await openClient();
  const ctx = await client.context();
  const [theirs, other] = [(await openMerchant(client)).id, (await openMerchant(client)).id];
  const above = (merchantId?: string) => secondPersonAbove(ctx, "payments.refund", LIMIT, merchantId);
  await joined(client, "owner");
  await joined(client, "operations", [theirs]);
  expect(await above(theirs)).toBe(LIMIT);
  expect(await above(other)).toBeNull();
  expect(await above()).toBeNull();
  await joined(client, "operations", [other]);
  expect(await above(other)).toBe(LIMIT);
  expect(await above()).toBeNull();
  await joined(client, "operations");
  expect(await above()).toBe(LIMIT);
});

test("neither is somebody who may not sign in any more", async () => {
  const client = await openClient();
  await joined(client, "owner");
  const second = await joined(client, "operations");
  const above = async () => secondPersonAbove(await client.context(), "payments.refund", LIMIT);
  expect(await above()).toBe(LIMIT);
  await systemSql()`update operators set is_disabled = true where id = ${second}`;
  expect(await above()).toBeNull();
});
