import { and, eq, like } from "drizzle-orm";
import { expect, test } from "vitest";
import { systemDb } from "@/db/client";
import { auditLog } from "@/db/schema/accounts";
import type { Context } from "@/lib/context";
import { newId } from "@/lib/ids";
import { releasePayment, takePayment, takesOf } from "@/lib/insights/takes";
import { createOperator } from "@/lib/sign-in/service";
import { openClient, type TestClient } from "@/lib/testing/api";
import { MAKERS } from "@/lib/testing/fuzz/world";

async function person(client: TestClient, name: string): Promise<Context> {
  const email = `${newId()}@equipe.example`;
  const { clientId } = client;
  const password = "correct horse battery staple";
  const { id } = await createOperator(systemDb(), { email, name, password, clientId, role: "operations" });
  return { ...(await client.context()), principal: { kind: "operator", operatorId: id } };
}

const who = async (ctx: Context, id: string) => (await takesOf(ctx, [id])).get(id)?.name;

test("a review is taken, taken over and released by whoever has it, and each of it is audited", async () => {
  const client = await openClient();
  const [ana, bia] = [await person(client, "Ana"), await person(client, "Bia")];
  const id = await MAKERS.purchase(client);
  expect(await who(ana, id)).toBeUndefined();
  await takePayment(ana, "operations", id);
  await takePayment(ana, "operations", id);
  expect(await who(bia, id)).toBe("Ana");
  expect((await takesOf(ana, [id])).get(id)?.isOwn).toBe(true);
  await releasePayment(bia, "operations", id);
  expect(await who(bia, id)).toBe("Ana");
  await takePayment(bia, "operations", id);
  expect(await who(ana, id)).toBe("Bia");
  await releasePayment(bia, "operations", id);
  expect(await who(ana, id)).toBeUndefined();
  const rows = await systemDb()
    .select({ action: auditLog.action, object: auditLog.object })
    .from(auditLog)
    .where(and(eq(auditLog.objectId, id), like(auditLog.action, "review.%")))
    .orderBy(auditLog.id);
  expect(rows.map(({ action }) => action)).toEqual(["review.take", "review.take", "review.release"]);
  expect(new Set(rows.map(({ object }) => object))).toEqual(new Set(["purchase"]));
});

test("two who take it in the same moment: one has it, and it is the one whom everybody sees", async () => {
  const client = await openClient();
  const people = await Promise.all(["Ana", "Bia", "Caio"].map((name) => person(client, name)));
  const id = await MAKERS.charge(client);
  await Promise.all(people.map((ctx) => takePayment(ctx, "operations", id)));
  const seen = await Promise.all(people.map((ctx) => who(ctx, id)));
  expect(new Set(seen).size).toBe(1);
  expect(seen[0]).toEqual(expect.any(String));
});

test("404: of another account, and for a role that does not resolve", async () => {
  const [client, other] = [await openClient(), await openClient()];
  const ana = await person(client, "Ana");
  const id = await MAKERS.charge(other);
  await expect(takePayment(ana, "operations", id)).rejects.toMatchObject({ status: 404 });
  await expect(releasePayment(ana, "operations", id)).rejects.toMatchObject({ status: 404 });
  expect(() => takePayment(ana, "support", id)).toThrow(expect.objectContaining({ status: 404 }));
});
