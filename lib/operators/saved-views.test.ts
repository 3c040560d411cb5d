import { beforeAll, describe, expect, test } from "vitest";
import { systemDb } from "@/db/client";
import { operators } from "@/db/schema/operators";
import type { Context } from "@/lib/context";
import { newId } from "@/lib/ids";
import { deleteView, saveView, viewsOf } from "@/lib/operators/saved-views";
import { openClient, type TestClient } from "@/lib/testing/api";
import { realNow } from "@/lib/time";

let client: TestClient;
let ana: Context;
let bia: Context;
let stranger: Context;

async function person(of: TestClient): Promise<Context> {
  const operatorId = newId();
  const at = realNow();
  await systemDb()
    .insert(operators)
    .values({
      id: operatorId,
      email: `${operatorId}@example.com`,
      name: "Ana",
      passwordHash: "-",
      createdAt: at,
      updatedAt: at,
    });
  return { ...(await of.context()), principal: { kind: "operator", operatorId } };
}

beforeAll(async () => {
  client = await openClient();
  ana = await person(client);
  bia = await person(client);
  stranger = await person(await openClient());
});

const names = async (ctx: Context) => (await viewsOf(ctx, "payments")).map(({ name }) => name);

describe("a saved view", () => {
  test("is its person's own until it is shared with the account, and never another account's", async () => {
    await saveView(ana, { list: "payments", name: "Stuck Pix", query: "method=pix&status=pending", isShared: false });
    await saveView(ana, { list: "payments", name: "Declines", query: "status=failed", isShared: true });
    expect(await names(ana)).toEqual(["Declines", "Stuck Pix"]);
    expect(await viewsOf(bia, "payments")).toMatchObject([{ name: "Declines", query: "status=failed", isOwn: false }]);
    expect(await names(stranger)).toEqual([]);
  });

  test("saved again under its name takes the old one's place", async () => {
    await saveView(ana, { list: "payments", name: "Mine", query: "status=failed", isShared: false });
    await saveView(ana, { list: "payments", name: "Mine", query: "status=authorized", isShared: false });
    expect((await viewsOf(ana, "payments")).filter(({ name }) => name === "Mine")).toMatchObject([
      { query: "status=authorized" },
    ]);
  });

  test("is deleted by its person alone", async () => {
    await saveView(ana, { list: "payments", name: "Hers", query: "", isShared: true });
    const view = (await viewsOf(bia, "payments")).find(({ name }) => name === "Hers");
    for (const other of [bia, stranger])
      await expect(deleteView(other, view?.id ?? "")).rejects.toMatchObject({ status: 404 });
    await deleteView(ana, view?.id ?? "");
    expect(await names(bia)).not.toContain("Hers");
  });
});
