import { createFormatter, createTranslator } from "next-intl";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { answerFields, withAnswer } from "@/app/(dashboard)/dashboard/sellers/review-answer";
import { systemSql } from "@/db/client";
import { type Context, inTransaction } from "@/lib/context";
import { messages } from "@/lib/i18n/messages";
import { uploadDocument } from "@/lib/sellers/documents";
import { MOST_BYTES } from "@/lib/sellers/file-kinds";
import { cameSince, reviewAt } from "@/lib/sellers/reviews";
import { updateSeller } from "@/lib/sellers/service";
import { openClient, type TestClient } from "@/lib/testing/api";
import { withMerchant } from "@/lib/testing/payments";
import { aPicture, openSellers } from "@/lib/testing/sellers";

vi.mock("@/app/(auth)/auth", () => ({}));
vi.mock("next-intl/server", () => {
  const locale = "pt-BR" as const;
  return {
    getLocale: async () => locale,
    getFormatter: async () => createFormatter({ locale, timeZone: "UTC" }),
    // Guarantee: the pages' own types hold their namespaces against the messages.
    getTranslations: async (namespace: never) => createTranslator({ locale, messages: messages[locale], namespace }),
  };
});

const ADDRESS = {
  "owner.address.street": "Rua B",
  "owner.address.streetNumber": "20",
  "owner.address.district": "Sé",
  "owner.address.city": "São Paulo",
  "owner.address.state": "SP",
  "owner.address.zipCode": "01001-000",
};
const ASKED = ["owner.address", "documents.SELFIE", "documents.RG_FRONT"];
const PDF = Buffer.from("%PDF-1.4\n%%EOF\n");

let client: TestClient;
let ctx: Context;
let seller: string;
beforeAll(async () => {
  const shop = await withMerchant(await openClient());
  client = shop.client;
  [seller = ""] = await openSellers(client, shop.merchant.id, 1);
  // With the clock that the account has since.
  ctx = await client.context();
});

const ask = async (requestedFields: string[]): Promise<string> =>
  (await client.make("POST", `/v1/sellers/${seller}/registration-reviews`, { body: { requestedFields } })).id;
const reviewOf = (id: string) => inTransaction(ctx, (inside) => reviewAt(inside, seller, id));
const storedCount = async (): Promise<number> => {
  const [row] = await systemSql()<{ n: number }[]>`
    select count(*)::int as n from seller_documents where client_id = ${client.clientId}`;
  return row?.n ?? 0;
};

const formOf = (fields: Record<string, string | Buffer>): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields))
    form.set(name, typeof value === "string" ? value : new File([new Uint8Array(value)], "file"));
  return form;
};
const send = (review: string, fields: Record<string, string | Buffer>) =>
  withAnswer(ctx, seller, review, formOf(fields), {
    done: () => ({ problem: "done" }),
    elsewhere: "elsewhere",
  });

describe("an answer to a review", () => {
  test("is not sent without a document that is asked for, and each is told of beside its field", async () => {
    const review = await ask(ASKED);
    const { problems } = await send(review, ADDRESS);
    expect(problems).toEqual({
      "documents.SELFIE": "Escolha o arquivo deste documento.",
      "documents.RG_FRONT": "Escolha o arquivo deste documento.",
    });
    expect((await reviewOf(review)).status).toBe("opened");
  });

  test("tells an empty form what each field lacks, in words", async () => {
    const { problems = {} } = await send(await ask(ASKED), {});
    // An empty state or city is the CEP's, so the CEP is what is asked for.
    const { "owner.address.city": _city, "owner.address.state": _state, ...needed } = ADDRESS;
    expect(Object.keys(problems).sort()).toEqual([...Object.keys(needed), ...ASKED.slice(1)].sort());
    expect(problems).toMatchObject({
      "owner.address.street": "Preencha este campo.",
      "documents.SELFIE": "Escolha o arquivo deste documento.",
    });
  });

  test("stores no file while another of them cannot be taken", async () => {
    const review = await ask(ASKED);
    const before = await storedCount();
    const large = Buffer.concat([aPicture(), Buffer.alloc(MOST_BYTES)]);
    const both = { ...ADDRESS, "documents.SELFIE": aPicture() };
    expect((await send(review, { ...both, "documents.RG_FRONT": PDF })).problems).toEqual({
      "documents.RG_FRONT": "Aqui não serve PDF. Envie uma imagem PNG, JPEG, BMP, WebP ou HEIC.",
    });
    expect((await send(review, { ...both, "documents.RG_FRONT": large })).problems).toEqual({
      "documents.RG_FRONT": "O arquivo passa de 3 MB. Envie um menor.",
    });
    expect((await send(review, { ...both, "documents.RG_FRONT": aPicture().subarray(0, 40) })).problems).toEqual({
      "documents.RG_FRONT": "Não deu para abrir a imagem. Envie outra.",
    });
    const noStreet = { ...both, "owner.address.street": "", "documents.RG_FRONT": aPicture() };
    expect((await send(review, noStreet)).problems).toEqual({ "owner.address.street": "Preencha este campo." });
    expect(await storedCount()).toBe(before);
    expect((await reviewOf(review)).status).toBe("opened");
  });

  test("is told where it can be given when no field of the form takes it", async () => {
    expect(await send(await ask(["bankAccount"]), {})).toEqual({ problem: "elsewhere" });
  });

  test("is sent whole, and needs no second copy of a document that came since it was asked for", async () => {
    const review = await ask(ASKED);
    const { id } = await uploadDocument(ctx, { type: "SELFIE", file: aPicture() });
    await inTransaction(ctx, (inside) => updateSeller(inside, seller, { documents: [id] }));
    expect(await send(review, { ...ADDRESS, "documents.RG_FRONT": aPicture() })).toEqual({ problem: "done" });
    expect((await reviewOf(review)).status).toBe("submitted");
  });
});

test("a document counts when it came after the provider last asked", () => {
  const [first, second, third] = [1, 2, 3].map((minute) => new Date(Date.UTC(2026, 0, 1, 0, minute)));
  if (!first || !second || !third) throw new Error("three moments were made");
  const document = (createdAt: Date) => ({ createdAt, erasedAt: null });
  const all = [first, second, third].map(document);
  expect(cameSince({ createdAt: first, submittedAt: null }, all)).toEqual([document(second), document(third)]);
  expect(cameSince({ createdAt: first, submittedAt: second }, all)).toEqual([document(third)]);
  expect(cameSince({ createdAt: first, submittedAt: null }, [{ ...document(second), erasedAt: third }])).toEqual([]);
});

test("a field of a file lets only what its document takes be chosen", async () => {
  const fields = await answerFields(
    { requestedFields: ["documents.CNH_FULL", "documents.RG_BACK"], createdAt: new Date(), submittedAt: null },
    undefined,
    [],
  );
  expect(fields).toMatchObject([
    {
      isRequired: true,
      accept: expect.stringContaining("application/pdf"),
      hint: "Imagem ou PDF de até 3 MB. Fotos maiores são reduzidas antes do envio.",
    },
    {
      isRequired: true,
      accept: expect.not.stringContaining("pdf"),
      hint: "Imagem de até 3 MB. Fotos maiores são reduzidas antes do envio.",
    },
  ]);
});
