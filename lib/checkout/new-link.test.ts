import { expect, test } from "vitest";
import { listLinkRequests, requestLink } from "@/lib/checkout/new-link";
import { newVisit } from "@/lib/checkout/visit";
import { inSnapshot } from "@/lib/context";
import { openClient } from "@/lib/testing/api";
import { withMerchant } from "@/lib/testing/payments";
import { openSession } from "@/lib/testing/sessions";

test("a request for a new link reaches the shop once an hour for each visit, masked for who may not see buyers", async () => {
  const [client, stranger] = [await openClient(), await openClient()];
  const { id: sessionId } = await openSession(await withMerchant(client));
  const ctx = await client.context();
  const request = { sessionId, name: "Ana Souza", email: "ana@cliente.example", locale: "pt-BR" } as const;
  const visit = newVisit();
  expect(await requestLink(ctx, { ...request, visit })).toBe(true);
  expect(await requestLink(ctx, { ...request, visit })).toBe(false);
  expect(await requestLink(ctx, { ...request, name: undefined, email: undefined, visit: newVisit() })).toBe(true);

  const listed = await inSnapshot(ctx, (inside) => listLinkRequests(inside, "owner", sessionId));
  expect(listed).toMatchObject([
    { name: null, email: null },
    { name: "Ana Souza", email: "ana@cliente.example" },
  ]);
  const [, masked] = await inSnapshot(ctx, (inside) => listLinkRequests(inside, "viewer", sessionId));
  expect(masked).toMatchObject({ name: "Ana S.", email: "a•••@cliente.example" });
  const other = await stranger.context();
  expect(await inSnapshot(other, (inside) => listLinkRequests(inside, "owner", sessionId))).toEqual([]);
});
