import { describe, expect, test } from "vitest";
import { systemDb, systemSql } from "@/db/client";
import { type Context, inTransaction } from "@/lib/context";
import { newId } from "@/lib/ids";
import { inviteToSeller, openAccesses, revokeAccess } from "@/lib/seller-access/invite";
import { openSellerLink, requestLinks } from "@/lib/seller-access/links";
import { ownPage } from "@/lib/seller-access/page";
import { type EnteredSeller, endSellerSession, enter, findSellerSession } from "@/lib/seller-access/sessions";
import { uploadDocument } from "@/lib/sellers/documents";
import { openReviewAt, submission, submitReview } from "@/lib/sellers/reviews";
import { createOperator } from "@/lib/sign-in/service";
import { openClient, type TestClient } from "@/lib/testing/api";
import { sendQueued } from "@/lib/testing/mail";
import { payByPix, type Shop, withMerchant } from "@/lib/testing/payments";
import { afterDelay, aPicture, openSellers } from "@/lib/testing/sellers";

async function colleague(client: TestClient): Promise<Context> {
  const { clientId } = client;
  const email = `dona-${newId().slice(-8)}@equipe.example`;
  const password = "correct horse battery staple";
  const { id } = await createOperator(systemDb(), { email, name: "Dona", password, clientId, role: "owner" });
  return { ...(await client.context()), principal: { kind: "operator", operatorId: id } };
}
const anEmail = () => `Ana.${newId().slice(-8)}@Vendas.example`;
const tokenIn = (text: string): string => /\/seller\/enter\/([\w-]+)/.exec(text)?.[1] ?? "";
const lettersOf = async (client: TestClient) =>
  (await sendQueued(client.clientId)).filter(({ template }) => template.startsWith("seller-"));

async function invited(client: TestClient, ctx: Context, sellerId: string, email: string): Promise<string> {
  await inviteToSeller(ctx, sellerId, { email, locale: "en" });
  const [letter] = await lettersOf(client);
  return tokenIn(letter?.text ?? "");
}
async function entered(client: TestClient, ctx: Context, sellerId: string, email = anEmail()): Promise<EnteredSeller> {
  const secret = await enter(await invited(client, ctx, sellerId, email), null);
  const found = secret && (await findSellerSession(secret, null));
  if (!found) throw new Error("the link let nobody in");
  return found;
}
const reviewOf = (client: TestClient, sellerId: string, requestedFields: string[]) =>
  client.make<{ id: string }>("POST", `/v1/sellers/${sellerId}/registration-reviews`, {
    body: { requestedFields, reason: "Unreadable" },
  });

async function shopWith(sellers: number): Promise<Shop & { ctx: Context; ids: string[] }> {
  const shop = await withMerchant(await openClient());
  const ids = await openSellers(shop.client, shop.merchant.id, sellers);
  return { ...shop, ids, ctx: await colleague(shop.client) };
}

describe("a seller's own page", () => {
  test("a link lets in once; asked-for links are few and short-lived; whoever is put out is out at once", async () => {
    const { client, ctx, ids } = await shopWith(1);
    const [id = ""] = ids;
    const email = anEmail();
    const token = await invited(client, ctx, id, email);
    expect(await openSellerLink(token)).toMatchObject({ sellerName: "Ana Souza", shopName: expect.any(String) });
    const [first, second] = await Promise.all([enter(token, null), enter(token, null)]);
    const secret = first ?? second ?? "";
    expect([first, second].filter(Boolean)).toHaveLength(1);
    expect(await openSellerLink(token)).toBeUndefined();
    expect(await findSellerSession(secret, null)).toMatchObject({ sellerId: id, email: email.toLowerCase() });
    expect(await findSellerSession(`${secret}x`, null)).toBeUndefined();

    // The invitation is one of the three of an hour; nobody unknown is written anything.
    for (let n = 0; n < 4; n++) await requestLinks(email.toUpperCase());
    await requestLinks(anEmail());
    const letters = await lettersOf(client);
    expect(letters.map(({ template }) => template)).toEqual(["seller-sign-in", "seller-sign-in"]);
    const [old = "", fresh = ""] = letters.map(({ text }) => tokenIn(text));
    await systemSql()`
      update seller_links set expires_at = now() - interval '1 second' where client_id = ${client.clientId} and id in (
        select id from seller_links where client_id = ${client.clientId} and used_at is null order by created_at limit 1)`;
    expect(await enter(old, null)).toBeUndefined();

    const again = (await enter(fresh, null)) ?? "";
    await endSellerSession(again);
    expect(await findSellerSession(again, null)).toBeUndefined();
    const [access] = await inTransaction(ctx, (inside) => openAccesses(inside, id));
    expect(access?.enteredAt).toBeTruthy();
    await revokeAccess(ctx, id, access?.id ?? "");
    expect(await findSellerSession(secret, null)).toBeUndefined();
    await requestLinks(email);
    expect(await lettersOf(client)).toEqual([]);
    const written = await systemSql()<{ action: string; actor: string }[]>`
      select action, split_part(actor, ':', 1) as actor from audit_log
       where client_id = ${client.clientId} and action like 'seller.access.%' order by id`;
    expect(written.map(({ action, actor }) => `${actor} ${action}`)).toEqual([
      "operator seller.access.invite",
      "seller seller.access.enter",
      "seller seller.access.enter",
      "operator seller.access.revoke",
    ]);
    const idle = await enter(await invited(client, ctx, id, email), null);
    await systemSql()`
      update seller_sessions set last_seen_at = last_seen_at - interval '31 minutes' where client_id = ${client.clientId}`;
    expect(await findSellerSession(idle ?? "", null)).toBeUndefined();
  });

  test("shows the seller's own money and nothing of another seller of the same shop", async () => {
    const shop = await shopWith(2);
    const { client, ctx, ids } = shop;
    const [a = "", b = ""] = ids;
    const splitRules = [
      { sellerId: a, amount: 7_000 },
      { sellerId: b, amount: 1_000 },
    ];
    const { body } = await payByPix(shop, { amount: 10_000, changes: { splitRules } });
    await client.make("POST", `/v1/sandbox/pix/${body.id}/pay`, { body: {} });
    const [ofA, ofB] = [await entered(client, ctx, a), await entered(client, ctx, b)];
    const [pageA, pageB] = [await ownPage(ofA), await ownPage(ofB)];
    expect([pageA.balance.pending, pageB.balance.pending]).toEqual([7_000, 1_000]);
    expect([pageA.lines, pageB.lines].map((lines) => lines.map(({ gross }) => gross))).toEqual([[7_000], [1_000]]);
    expect(pageA.calendar.map(({ net }) => net)).toEqual([7_000]);
    const { id: review } = await reviewOf(client, a, ["owner.name"]);
    const answer = submission.parse({ owner: { name: "Somebody else" } });
    await expect(
      inTransaction(ofB.ctx, (inside) => submitReview(inside, ofB.sellerId, review, answer)),
    ).rejects.toMatchObject({ status: 404 });
    expect((await ownPage(ofB)).reviews).toEqual([]);
  });

  test("of another account: neither page nor review exists, whatever is named", async () => {
    const [ours, theirs] = [await shopWith(1), await shopWith(1)];
    const [own = "", other = ""] = [ours.ids[0], theirs.ids[0]];
    const { id: review } = await reviewOf(theirs.client, other, ["owner.name"]);
    const session = await entered(ours.client, ours.ctx, own);
    await expect(ownPage({ ...session, sellerId: other })).rejects.toMatchObject({ status: 404 });
    const answer = submission.parse({ owner: { name: "Somebody else" } });
    for (const sellerId of [own, other])
      await expect(
        inTransaction(session.ctx, (inside) => submitReview(inside, sellerId, review, answer)),
      ).rejects.toMatchObject({ status: 404 });
    await expect(inviteToSeller(ours.ctx, other, { email: anEmail(), locale: "en" })).rejects.toMatchObject({
      status: 404,
    });
    const [access] = await inTransaction(theirs.ctx, (inside) => openAccesses(inside, other));
    expect(access).toBeUndefined();
  });

  test("is written of what is asked, reminded of it, and of how it ended; and answers it itself", async () => {
    const { client, ctx, ids } = await shopWith(1);
    const [id = ""] = ids;
    await reviewOf(client, id, ["owner.name"]);
    expect(await lettersOf(client)).toEqual([]);
    const session = await entered(client, ctx, id);
    const { id: review } = await reviewOf(client, id, ["documents.SELFIE"]);
    await client.make("POST", "/v1/sandbox/clock", { body: { advance: "P9D" } });
    const wanted = await lettersOf(client);
    expect(new Set(wanted.map(({ template }) => template))).toEqual(new Set(["seller-review-due"]));
    expect(wanted.some(({ subject }) => subject.includes("still waiting"))).toBe(true);
    const document = await uploadDocument(session.ctx, { type: "SELFIE", file: aPicture() });
    await inTransaction(session.ctx, (inside) =>
      submitReview(inside, id, review, submission.parse({ documents: [document.id] })),
    );
    await afterDelay(client);
    await afterDelay(client);
    const closed = (await lettersOf(client)).filter(({ template }) => template === "seller-review-closed");
    expect(closed.map(({ subject }) => subject)).toEqual(["Your registration was approved"]);
    await expect(inTransaction(session.ctx, (inside) => openReviewAt(inside, id, review))).rejects.toMatchObject({
      businessCode: "review_not_open",
    });
  });
});
