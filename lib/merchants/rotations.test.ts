import { describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { loadAccount } from "@/lib/accounts/service";
import { type Context, inTransaction, systemContext } from "@/lib/context";
import { newId } from "@/lib/ids";
import { attentionOf } from "@/lib/insights/attention";
import { askRotation, endRotation, openRotations } from "@/lib/merchants/rotations";
import { SamePerson } from "@/lib/operators/second-person";
import { openClient, openMerchant } from "@/lib/testing/api";

async function shop() {
  const client = await openClient();
  const { id: merchantId } = await openMerchant(client);
  const [provider] = await systemSql()<{ id: string }[]>`
    select id from providers where merchant_id = ${merchantId} and kind = 'SANDBOX'`;
  const system = systemContext(await loadAccount(client.clientId), newId());
  const as = (operatorId: string): Context => ({ ...system, principal: { kind: "operator", operatorId } });
  return { client, providerId: provider?.id ?? "", first: as(newId()), second: as(newId()) };
}

const sealedOf = async (id: string) => {
  const [row] = await systemSql()<{ credentials: Buffer }[]>`select credentials from providers where id = ${id}`;
  return row?.credentials.toString("hex");
};
const NEW = { type: "SANDBOX", apiKey: "new-key" };

describe("new credentials of a live provider", () => {
  test("are used once a second person confirmed them, and not before", async () => {
    const { client, providerId, first, second } = await shop();
    const before = await sealedOf(providerId);
    const id = await askRotation(first, providerId, NEW);
    expect(await attentionOf(second, "owner")).toMatchObject([{ kind: "credentials_proposed", count: 1 }]);
    expect(await attentionOf(second, "support")).toEqual([]);
    expect(await sealedOf(providerId)).toBe(before);
    await expect(endRotation(first, id, "confirmed")).rejects.toBeInstanceOf(SamePerson);
    expect(await sealedOf(providerId)).toBe(before);
    await endRotation(second, id, "confirmed");
    expect(await sealedOf(providerId)).not.toBe(before);
    const entries = await systemSql()`select action, actor, second_actor, after from audit_log
      where client_id = ${client.clientId} and action like 'provider.rotation.%' order by id`;
    expect(entries.map(({ action }) => action)).toEqual(["provider.rotation.asked", "provider.rotation.confirmed"]);
    expect(entries.map(({ second_actor }) => second_actor)).toEqual([null, entries[0]?.actor]);
    expect(JSON.stringify(entries)).not.toContain("new-key");
  });

  test("are confirmed once: of two presses the second finds nothing", async () => {
    const { providerId, first, second } = await shop();
    const id = await askRotation(first, providerId, NEW);
    const ends = await Promise.allSettled([endRotation(second, id, "confirmed"), endRotation(second, id, "confirmed")]);
    expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("thrown away, or asked for anew, the old question is over", async () => {
    const { providerId, first, second } = await shop();
    const before = await sealedOf(providerId);
    const old = await askRotation(first, providerId, NEW);
    const later = await askRotation(second, providerId, { ...NEW, apiKey: "newer" });
    await expect(endRotation(second, old, "confirmed")).rejects.toMatchObject({ status: 404 });
    await endRotation(second, later, "refused");
    expect(await inTransaction(first, openRotations)).toEqual([]);
    expect(await sealedOf(providerId)).toBe(before);
  });

  test("of another account do not exist", async () => {
    const [theirs, mine] = [await shop(), await shop()];
    const id = await askRotation(theirs.first, theirs.providerId, NEW);
    await expect(endRotation(mine.second, id, "confirmed")).rejects.toMatchObject({ status: 404 });
  });
});
