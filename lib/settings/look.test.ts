import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { loadAccount } from "@/lib/accounts/service";
import { inTransaction, systemContext } from "@/lib/context";
import { newId } from "@/lib/ids";
import { asOffered } from "@/lib/sessions/offered";
import { getSession } from "@/lib/sessions/queries";
import { lookOfShop } from "@/lib/settings/brand";
import { keepLogo, measureLogo } from "@/lib/settings/logo";
import { looksOf, NO_LOOK, worn } from "@/lib/settings/look";
import { copyLogo, type LookInput, lookProblems, saveLook } from "@/lib/settings/save-look";
import { openClient, openMerchant } from "@/lib/testing/api";

const NOTHING: LookInput = { ...NO_LOOK, logo: "keep" };
const contextOf = async (clientId: string) => systemContext(await loadAccount(clientId), newId());
const picture = (width = 120, height = 40) =>
  sharp({ create: { width, height, channels: 3, background: "#1b4dff" } })
    .png()
    .toBuffer();

async function shop() {
  const client = await openClient();
  const { id: merchantId } = await openMerchant(client);
  return { client, merchantId, ctx: await contextOf(client.clientId) };
}

describe("a look", () => {
  test("field by field, what a merchant left open is the account's, and else Trilho's", async () => {
    const { ctx, merchantId } = await shop();
    const colours = { ...NO_LOOK.colours, mainColor: "#112233", errorColor: "#a00000" };
    await saveLook(ctx, null, { ...NOTHING, colours, siteUrl: "https://a.example", leastPart: 1_000 });
    await saveLook(ctx, merchantId, {
      ...NOTHING,
      colours: { ...NO_LOOK.colours, mainColor: "#445566" },
      captcha: true,
    });
    expect(await lookOfShop(ctx, merchantId)).toMatchObject({
      siteUrl: "https://a.example",
      colours: { mainColor: "#445566", errorColor: "#a00000", successColor: null },
    });
    const { own, behind } = await looksOf(ctx, merchantId);
    expect([own.leastPart, behind.leastPart, worn({ own, behind }).leastPart]).toEqual([null, 1_000, 1_000]);
    expect(worn({ own, behind }).captcha).toBe(true);
  });

  test("one field given back to the default is the account's again, and the rest stays", async () => {
    const { ctx, merchantId } = await shop();
    await saveLook(ctx, null, { ...NOTHING, colours: { ...NO_LOOK.colours, mainColor: "#111111" } });
    const own = { ...NO_LOOK.colours, mainColor: "#222222", successColor: "#006600" };
    await saveLook(ctx, merchantId, { ...NOTHING, colours: own });
    await saveLook(ctx, merchantId, { ...NOTHING, colours: { ...own, mainColor: null } });
    expect((await lookOfShop(ctx, merchantId)).colours).toMatchObject({
      mainColor: "#111111",
      successColor: "#006600",
    });
  });

  test("every save is in the audit log with what it was before and after", async () => {
    const { ctx, client } = await shop();
    await saveLook(ctx, null, { ...NOTHING, severalCards: true });
    await saveLook(ctx, null, { ...NOTHING, severalCards: false, leastPart: 500 });
    const [row] = await systemSql()`select before, after from audit_log
      where client_id = ${client.clientId} and action = 'link_settings.update'`;
    expect(row?.before).toMatchObject({ severalCards: true, leastPart: null });
    expect(row?.after).toMatchObject({ severalCards: false, leastPart: 500 });
  });

  test.each([
    ["a colour that is none", { colours: { ...NO_LOOK.colours, mainColor: "red" } }, ["mainColor"]],
    ["an address without TLS", { siteUrl: "http://a.example" }, ["companyUrl"]],
    ["a support address that is none", { supportEmail: "loja" }, ["supportEmail"]],
    ["a minimum that is no amount", { leastPart: Number.NaN }, ["leastPart"]],
  ])("%s is named, and nothing is saved", async (_what, wrong, fields) => {
    expect(lookProblems({ ...NOTHING, ...wrong })).toEqual(fields);
    const { ctx } = await shop();
    await expect(saveLook(ctx, null, { ...NOTHING, ...wrong })).rejects.toThrow();
    expect((await looksOf(ctx, null)).own).toEqual(NO_LOOK);
  });
});

describe("a logo", () => {
  test("uploaded first, is the shop's once the form is saved, and a copy of it is a file of its own", async () => {
    const { ctx, merchantId } = await shop();
    const { file } = await keepLogo(ctx, await picture());
    await saveLook(ctx, null, { ...NOTHING, logo: { file } });
    const copy = await copyLogo(ctx, file);
    await saveLook(ctx, merchantId, { ...NOTHING, logo: { file: copy.file } });
    expect(copy.file).not.toBe(file);
    expect((await lookOfShop(ctx, merchantId)).logo).toMatchObject({ width: 120, height: 40 });
    await saveLook(ctx, merchantId, { ...NOTHING, logo: "none" });
    expect((await looksOf(ctx, merchantId)).own.logo).toBeNull();
    expect((await lookOfShop(ctx, merchantId)).logo?.url).toContain(file);
  });

  test("of another account is refused, as is one that never was", async () => {
    const [mine, theirs] = [await shop(), await shop()];
    const { file } = await keepLogo(theirs.ctx, await picture());
    await expect(saveLook(mine.ctx, null, { ...NOTHING, logo: { file } })).rejects.toThrow();
    await expect(saveLook(mine.ctx, null, { ...NOTHING, logo: { file: `${"0".repeat(32)}.png` } })).rejects.toThrow();
  });

  test("that cannot be taken is measured", async () => {
    expect(await measureLogo(await picture(1_200, 300))).toMatchObject({ problem: "large", width: 1_200, height: 300 });
    expect(await measureLogo(Buffer.from("GIF89a"))).toMatchObject({ problem: "kind", bytes: 6 });
    const photo = Buffer.concat([Buffer.from("\0\0\0\x24ftypheic\0\0\0\0mif1heic"), Buffer.alloc(3 * 1024 * 1024)]);
    expect(await measureLogo(photo)).toMatchObject({ problem: "heic", bytes: photo.length });
    expect(await measureLogo(Buffer.alloc(2 * 1024 * 1024 + 1))).toMatchObject({ problem: "heavy" });
    expect(await measureLogo(await picture())).toMatchObject({ problem: undefined });
  });
});

describe("the rules of a shop's checkout", () => {
  test("narrow what a link offers: the parts of a card, several cards, the captcha", async () => {
    const { ctx, client, merchantId } = await shop();
    const { id } = await client.make("POST", "/v1/sessions", {
      body: {
        merchantId,
        items: [{ name: "A", unitPrice: 10_000, quantity: 1 }],
        paymentMethods: [{ paymentType: "credit", installments: 12 }],
      },
    });
    await saveLook(ctx, merchantId, { ...NOTHING, leastPart: 3_000, severalCards: false, captcha: true });
    const offered = await inTransaction(ctx, async (inside) => asOffered(inside, await getSession(inside, String(id))));
    expect(offered).toMatchObject({ takesSeveralCards: false, captchaEnabled: true });
    expect(offered.paymentMethods).toEqual([{ paymentType: "credit", installments: 3 }]);
  });
});
