import { createTranslator } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { startFor } from "@/app/(dashboard)/dashboard/links/fields";
import { behindPayment, recipientOf, whatsappNumber } from "@/app/(dashboard)/dashboard/links/recipient";
import { Share } from "@/components/links/share";
import { WordsProvider } from "@/components/ui/words";
import { systemSql } from "@/db/client";
import { inTransaction } from "@/lib/context";
import { messages } from "@/lib/i18n/messages";
import { soldBy } from "@/lib/purchases/sold-by";
import { openClient } from "@/lib/testing/api";
import { openCustomer, payByCard, withMerchant } from "@/lib/testing/payments";
import { person } from "@/lib/testing/people";
import { bought } from "@/lib/testing/purchases";
import { openSession } from "@/lib/testing/sessions";

vi.mock("next-intl/server", () => ({
  // Guarantee: the callers' own types hold their namespaces against the messages.
  getTranslations: async (namespace: never) => createTranslator({ locale: "en", messages: messages.en, namespace }),
  getLocale: async () => "en",
}));

test.each([
  ["11 91234-5678", "5511912345678"],
  ["(011) 91234-5678", "5511912345678"],
  ["1133334444", "551133334444"],
  ["+55 11 91234-5678", "5511912345678"],
  ["5511912345678", "5511912345678"],
  ["+351 912 345 678", "351912345678"],
  ["91234-5678", undefined],
  ["", undefined],
])("the phone %s is written to as %s", (phone, number) => {
  expect(whatsappNumber(phone)).toBe(number);
});

const JOAO = { name: "João Carvalho", email: "joao@example.com", phoneNumber: "11 91234-5678" };
const DECLINED = "decline:insufficient_funds";

test("a link in place of a declined payment is for its buyer and called by what was sold", async () => {
  const shop = await withMerchant(await openClient());
  const customerId = await openCustomer(shop.client, JOAO);
  const changes = { customerId, orderId: "PED-1012" };
  const { id } = (await payByCard(shop, { outcome: DECLINED, changes })).body;
  const several = await bought(shop, { outcomes: ["approve", DECLINED], changes: { customerId } });
  const ctx = await person(shop.client, "owner");
  const begun = async () => {
    const behind = await behindPayment(ctx, "owner", id);
    return { ...behind, ...(await startFor(await inTransaction(ctx, (inside) => soldBy(inside, id)), behind)) };
  };
  expect(await begun()).toMatchObject({ buyer: { id: customerId, name: JOAO.name }, name: "Order PED-1012" });
  expect((await behindPayment(ctx, "owner", several.id)).buyer?.id).toBe(customerId);
  const { id: link } = await openSession(shop, { name: "Kit café especial" });
  await systemSql()`update charges set session_id = ${link} where id = ${id}`;
  expect(await begun()).toMatchObject({ name: "Kit café especial", orderId: "PED-1012" });
  await systemSql()`update customers set deleted_at = now() where id = ${customerId}`;
  expect((await begun()).buyer).toBeUndefined();
});

test("a link reaches the buyer that it is for, from those who see buyers whole", async () => {
  const shop = await withMerchant(await openClient());
  const customerId = await openCustomer(shop.client, JOAO);
  const ctx = await person(shop.client, "owner");
  const to = await recipientOf(ctx, "owner", { customerId }, undefined);
  expect(to).toEqual({ email: JOAO.email, whatsapp: "5511912345678" });
  expect(await recipientOf(ctx, "viewer", { customerId }, undefined)).toEqual({});
  const texts = { share: "", copy: "", copyMessage: "", whatsapp: "WhatsApp", email: "E-mail", qr: "" };
  const html = renderToStaticMarkup(
    <WordsProvider words={messages.en.ui}>
      <Share title="" description="" address="https://x" to={to} qr="" message="Hi" subject="S" texts={texts} />
    </WordsProvider>,
  );
  expect(html).toContain("https://wa.me/5511912345678?text=Hi");
  expect(html).toContain("mailto:joao%40example.com?subject=S");
});
