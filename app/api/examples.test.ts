import { describe, expect, it } from "vitest";
import { ENDPOINTS } from "@/app/api/endpoints";
import { openApiDocument } from "@/lib/http/openapi";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import { openClient } from "@/lib/testing/api";
import { documentValidator } from "@/lib/testing/fuzz/document";
import { examplesOf, prepare, send } from "@/lib/testing/fuzz/requests";

const document = openApiDocument(ENDPOINTS.map(({ spec }) => spec));
const validator = documentValidator(document);

/** Only the provider itself can sign what it sends; its notifications have tests of their own. */
const SIGNED = /^POST .+\/notifications(?:\/|$)/;
const named = ENDPOINTS.map(({ spec }) => [`${spec.method} ${spec.path}`, spec] as const).filter(
  ([name]) => !SIGNED.test(name),
);

describe.each(named)("%s", (_, spec) => {
  it.each(examplesOf(spec).map((example) => [example.name, example] as const))(
    "the example `%s` succeeds on an account of its own, and its answer is the documented one",
    async (_, example) => {
      const client = await openClient();
      const reply = await send(client, await prepare(client, spec, example));
      // A 3-D Secure setup answers an error member that is null when all is well.
      expect([reply.status, reply.error ?? undefined]).toEqual([spec.status, undefined]);
      if (spec.reply === "empty" || spec.produces === null) {
        expect(reply.text).toBe("");
      } else if (spec.status >= 300) {
        expect(reply.headers.get("location")).toMatch(/^https:/);
      } else if (spec.reply === "raw") {
        expect(reply.headers.get("content-type")).toBe(spec.produces);
        expect(reply.bytes.byteLength).toBeGreaterThan(0);
      } else {
        expect(validator.replyProblems(spec, reply.status, reply.body)).toEqual([]);
      }
    },
  );
});

describe("a refused payment", () => {
  const specOf = (method: string, path: string) => {
    const found = ENDPOINTS.find(({ spec }) => spec.method === method && spec.path === path);
    if (!found) throw new Error(`${method} ${path} is not an endpoint`);
    return found.spec;
  };

  it("is a documented answer too, whatever the reason", async () => {
    const client = await openClient();
    const spec = specOf("POST", "/v1/charges");
    const example = examplesOf(spec).find(({ name }) => name === "token");
    for (const outcome of ["decline:insufficient_funds", "decline:stolen_card", "decline:fraud_suspect"] as const) {
      const request = await prepare(client, spec, example ?? { name: "token" });
      const card = { cardHolderName: "Ana Souza", cardCvv: "120", cardExpirationDate: "12/2039" };
      const { tokenId } = await client.make<{ tokenId: string }>("POST", "/v1/tokens", {
        body: { ...card, cardNumber: sandboxPan(outcome) },
      });
      // Guarantee: the example's body is an object.
      const body = { ...(request.body as object), paymentSource: { sourceType: "token", tokenId } };
      const reply = await send(client, { ...request, body });
      expect(reply).toMatchObject({ status: 201, body: { status: "failed", error: { type: "card_declined" } } });
      expect(validator.replyProblems(spec, 201, reply.body)).toEqual([]);
    }
  });

  it("and so is a refused capture", async () => {
    const client = await openClient();
    const spec = specOf("POST", "/v1/charges/{id}/capture");
    const request = await prepare(client, spec, { name: "refused", body: { amount: 991 } });
    const reply = await send(client, request);
    expect(reply).toMatchObject({ status: 201, body: { status: "pre_authorized", error: { code: 424 } } });
    expect(validator.replyProblems(spec, 201, reply.body)).toEqual([]);
  });
});
