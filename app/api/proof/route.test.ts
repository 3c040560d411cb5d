import { createPublicKey, verify } from "node:crypto";
import { describe, expect, test } from "vitest";
import { GET } from "@/app/api/proof/route";
import { systemSql } from "@/db/client";
import { canonicalJson } from "@/lib/canonical-json";
import { newId } from "@/lib/ids";
import { attentionOf } from "@/lib/insights/attention";
import type { SignedProof } from "@/lib/invariants/account-proof";
import { auditInvariants } from "@/lib/invariants/audit";
import { openClient, type TestClient } from "@/lib/testing/api";
import { payByCard, withMerchant } from "@/lib/testing/payments";

const ask = (headers: Record<string, string>) => GET(new Request("http://localhost/api/proof", { headers }));
const proofOf = async (client: TestClient): Promise<SignedProof> =>
  (await ask({ "x-client-id": client.clientId, "x-api-key": client.apiKey })).json();
const breakOf = (client: TestClient) => systemSql()`
  insert into invariant_violations (id, client_id, invariant, row_id, found_at, seen_at)
  values (${newId()}, ${client.clientId}, 'M3', ${newId()}, now(), now())`;

describe("GET /api/proof", () => {
  test("200: every invariant with its last run, signed so that anybody can check it", async () => {
    const shop = await withMerchant(await openClient());
    await payByCard(shop, { amount: 1_000, capture: true });
    await auditInvariants();
    const { proof, signature, publicKey } = await proofOf(shop.client);
    expect(proof).toMatchObject({ accountId: shop.client.clientId, breaks: [], oldestUnknownAt: null });
    expect(proof.invariants.length).toBeGreaterThan(20);
    expect(new Set(proof.invariants.map(({ state }) => state))).toEqual(new Set(["holds"]));
    const isSigned = (text: string) =>
      verify(null, Buffer.from(text), createPublicKey(publicKey), Buffer.from(signature, "base64"));
    expect(isSigned(canonicalJson(proof))).toBe(true);
    expect(isSigned(canonicalJson({ ...proof, orphanWatches: 7 }))).toBe(false);
  });

  test("200: a violation is told to its own account alone, and an audit that does not run is no good news", async () => {
    const [client, other] = [await openClient(), await openClient()];
    await auditInvariants();
    await breakOf(client);
    const stateOf = async (of: TestClient, id: string) =>
      (await proofOf(of)).proof.invariants.find((each) => each.id === id)?.state;
    expect(await stateOf(client, "M3")).toBe("broken");
    expect((await proofOf(client)).proof.breaks).toMatchObject([{ invariant: "M3", object: "charges" }]);
    expect(await stateOf(other, "M3")).toBe("holds");
    expect(await attentionOf(await client.context(), "viewer")).toMatchObject([
      { kind: "invariants_broken", count: 1 },
    ]);
    expect(await attentionOf(await other.context(), "viewer")).toEqual([]);
    await systemSql()`update invariant_runs set ran_at = now() - interval '6 minutes' where invariant = 'M4'`;
    expect(await stateOf(other, "M4")).toBe("late");
  });

  test("401: without a secret key", async () => {
    const client = await openClient();
    const publicKey = await client.publicKey("tokens");
    for (const key of [undefined, "sk_sandbox_wrong", publicKey]) {
      const answer = await ask({ "x-client-id": client.clientId, ...(key ? { "x-api-key": key } : {}) });
      expect(answer.status).toBe(401);
    }
  });
});
