import { afterEach, describe, expect, test, vi } from "vitest";
import { dispatch } from "@/app/api/registry";
import { POST as continuePage, GET as showPage } from "@/app/sandbox/3ds/[id]/route";
import { systemSql } from "@/db/client";
import { providerFor } from "@/lib/providers/registry";
import { type ChargeReply, openShop, type Shop, THREE_DS } from "@/lib/providers/sandbox/api/testing";
import { sandboxPan } from "@/lib/reference/sandbox-pans";

afterEach(() => {
  vi.restoreAllMocks();
});

interface Challenge {
  url: string;
  md: string;
  paReq: string;
  termUrl: string;
}

async function challenged(shop: Shop, outcome: "3ds_challenge_ok" | "3ds_challenge_failed" = "3ds_challenge_ok") {
  const { body } = await shop.pay(sandboxPan(outcome), { threeDSecure2: THREE_DS });
  expect(body.status).toBe("pending");
  const authData = (body.threeDSecure2 as { authData: { response: Challenge } }).authData;
  return { charge: body, authData, challenge: authData.response };
}

const comeBack = (termUrl: string, method = "POST") => {
  const body = method === "POST" ? new URLSearchParams({ cres: "ignored" }) : null;
  return dispatch(new Request(termUrl, { method, body }));
};

/** The buyer's browser at the simulated issuer. */
async function atIssuer(url: string, form?: Record<string, string>): Promise<Response> {
  const id = url.split("/").at(-1) ?? "";
  const context = { params: Promise.resolve({ id }) };
  if (!form) return showPage(new Request(url, { headers: { "accept-language": "en" } }), context);
  return continuePage(new Request(url, { method: "POST", body: new URLSearchParams(form) }), context);
}

const authenticationOf = ({ transactionRequests }: ChargeReply) =>
  transactionRequests.find(({ requestType }) => requestType === "3DS_auth");

describe("a challenge", () => {
  test("leads to the issuer's page and back to the shop, and the charge is paid by then", async () => {
    const shop = await openShop();
    const { charge, authData, challenge } = await challenged(shop);
    expect(authData).toMatchObject({ action: "REDIRECT", providerType: "SANDBOX", responseType: "AUTHENTICATION" });
    expect(challenge.url).toMatch(/^http:\/\/trilho\.test\/sandbox\/3ds\/[0-9a-f-]{36}$/);
    expect(challenge.termUrl).toMatch(new RegExp(`^http://trilho\\.test/v1/charges/${charge.id}/3ds/return\\?ticket=`));
    const page = await atIssuer(challenge.url);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("R$100.00")]);
    const first = await atIssuer(challenge.url, { PaReq: challenge.paReq, MD: challenge.md });
    expect([first.status, first.headers.get("location")]).toEqual([303, new URL(challenge.url).pathname]);
    const on = await atIssuer(challenge.url, {});
    expect([on.status, on.headers.get("location")]).toEqual([303, challenge.termUrl]);
    const back = await comeBack(challenge.termUrl);
    expect(back.status).toBe(303);
    expect(back.headers.get("location")).toBe(`https://loja.example/volta?pedido=7&chargeId=${charge.id}`);
    const over = await atIssuer(challenge.url);
    expect([over.status, await over.text()]).toEqual([200, expect.stringContaining("This authentication is over.")]);
    const paid = await shop.charge(charge.id);
    expect([paid.status, authenticationOf(paid)?.threeds]).toEqual(["authorized", { authenticated: true }]);
  });

  test("may come back by GET, works once, and knows its own ticket only", async () => {
    const shop = await openShop();
    const { challenge } = await challenged(shop);
    const other = await challenged(shop);
    const ticket = new URL(other.challenge.termUrl).search;
    expect((await comeBack(challenge.termUrl.replace(/\?.*/, ticket))).status).toBe(404);
    expect((await comeBack(challenge.termUrl.replace(/ticket=.*/, "ticket=x"))).status).toBe(404);
    expect((await comeBack(challenge.termUrl.replace(/\?.*/, ""))).status).toBe(400);
    expect((await comeBack(challenge.termUrl, "GET")).status).toBe(303);
    const again = await comeBack(challenge.termUrl);
    expect([again.status, await again.json()]).toEqual([
      410,
      { error: { type: "bad_request", code: 410, message: expect.any(String), details: [] } },
    ]);
  });

  test("five returns at once are one", async () => {
    const shop = await openShop();
    const { challenge } = await challenged(shop);
    const replies = await Promise.all(Array.from({ length: 5 }, () => comeBack(challenge.termUrl)));
    expect(replies.map(({ status }) => status).sort()).toEqual([303, 410, 410, 410, 410]);
  });

  test("that fails leaves the charge failed", async () => {
    const shop = await openShop();
    const { charge, challenge } = await challenged(shop, "3ds_challenge_failed");
    await atIssuer(challenge.url, {});
    expect((await comeBack(challenge.termUrl)).status).toBe(303);
    const failed = await shop.charge(charge.id);
    expect(failed.status).toBe("failed");
    expect(failed.transactionRequests.at(-1)?.providerError?.declinedCode).toBe("failed_authentication");
    expect(authenticationOf(failed)).toMatchObject({ requestStatus: "failed", threeds: { authenticated: false } });
  });

  test("nobody finished in 15 minutes has failed, and its way back is closed", async () => {
    const shop = await openShop();
    const { charge, challenge } = await challenged(shop);
    // The simulator ends its challenges after ten seconds; this one is never ended by it.
    await systemSql()`
      update sandbox_transactions set resolves_at = null, resolves_to = null where charge_id = ${charge.id}`;
    await shop.advance("PT14M");
    expect((await shop.charge(charge.id)).status).toBe("pending");
    await shop.advance("PT2M");
    const failed = await shop.charge(charge.id);
    expect([failed.status, failed.expiresAt]).toEqual(["failed", null]);
    expect(failed.transactionRequests.at(-1)?.providerError?.declinedCode).toBe("failed_authentication");
    expect((await comeBack(challenge.termUrl)).status).toBe(410);
  });

  test("is not needed by a card that the issuer knows", async () => {
    const shop = await openShop();
    const { body } = await shop.pay(sandboxPan("approve"), { threeDSecure2: THREE_DS });
    expect(body.status).toBe("authorized");
    expect(body.transactionRequests.at(-1)).toMatchObject({ threeds: { authenticated: true } });
    expect(authenticationOf(body)).toBeUndefined();
  });

  test("whose page is asked for by nobody's id is 404", async () => {
    expect((await atIssuer("http://trilho.test/sandbox/3ds/0192f1c4-8a10-7c3e-9b55-0d2f6a7e1c01")).status).toBe(404);
    expect((await atIssuer("http://trilho.test/sandbox/3ds/x", {})).status).toBe(404);
  });
});

describe("requiresLiabilityShift", () => {
  const mpi = { transStatus: "Y", cavv: "AAABBBCCC", eci: "05" };
  test.each([
    ["a full authentication", { ...THREE_DS }, "authorized"],
    ["data only", { ...THREE_DS, dataOnly: true }, "failed"],
    ["an authentication of the shop's own", { mpi }, "authorized"],
    ["one that was not accepted", { mpi: { ...mpi, transStatus: "N" } }, "failed"],
    ["one without a cryptogram", { mpi: { transStatus: "Y" } }, "failed"],
    ["one that the network does not stand for", { mpi: { ...mpi, eci: "07" } }, "failed"],
  ])("with %s", async (_, threeDS, end) => {
    const shop = await openShop();
    const { body } = await shop.pay(sandboxPan("approve"), {
      threeDSecure2: { ...threeDS, requiresLiabilityShift: true },
    });
    expect(body.status).toBe(end);
    if (end === "failed") {
      expect(body.error).toMatchObject({ type: "card_declined", declinedCode: "authentication_error" });
      const calls = await systemSql()`select 1 from sandbox_calls where charge_id = ${body.id}`;
      expect(calls).toHaveLength(0);
    }
  });

  /** The issuer approves, and the provider says whose risk it is. */
  const telling = (liabilityShift: boolean) => {
    const adapter = providerFor("SANDBOX");
    const authorize = adapter.authorize.bind(adapter);
    vi.spyOn(adapter, "authorize").mockImplementation(async (call, input) => {
      const answer = await authorize(call, input);
      return answer.kind === "approved" ? { ...answer, data: { ...answer.data, liabilityShift } } : answer;
    });
  };

  test.each([true, false])("gives back what was approved with the risk on the shop: capture %s", async (capture) => {
    telling(false);
    const shop = await openShop();
    const threeDSecure2 = { ...THREE_DS, requiresLiabilityShift: true };
    const { body } = await shop.pay(sandboxPan("approve"), { capture, threeDSecure2 });
    expect(body).toMatchObject({
      status: "failed",
      capturedAmount: 0,
      error: { type: "card_declined", declinedCode: "authentication_error" },
    });
    expect(body.transactionRequests.map(({ requestType }) => requestType)).toEqual(["void", "pre_authorization"]);
    expect(body.transactionRequests[1]?.threeds).toEqual({ authenticated: true, liabilityShift: false });
    const [held] = await systemSql()`select state from sandbox_transactions where charge_id = ${body.id}`;
    expect(held?.state).toBe("voided");
    const told = await systemSql()`
      select e.event, c.decline_code from events e join charges c on c.id = e.entity_id where c.id = ${body.id}`;
    expect(told).toEqual([{ event: "failed", decline_code: "authentication_error" }]);
  });

  test("lets an approval stand that has it, or that asked for none", async () => {
    telling(true);
    const shop = await openShop();
    const required = await shop.pay(sandboxPan("approve"), {
      threeDSecure2: { ...THREE_DS, requiresLiabilityShift: true },
    });
    expect(required.body.status).toBe("authorized");
    expect(required.body.transactionRequests.at(-1)?.threeds).toEqual({ authenticated: true, liabilityShift: true });
    vi.restoreAllMocks();
    telling(false);
    expect((await shop.pay(sandboxPan("approve"), { threeDSecure2: THREE_DS })).body.status).toBe("authorized");
  });

  test("tells nothing while it is unknown whether the hold is gone, and fails once that is known", async () => {
    telling(false);
    const shop = await openShop();
    const adapter = providerFor("SANDBOX");
    vi.spyOn(adapter, "void").mockResolvedValueOnce({ kind: "undetermined", cause: "timeout" });
    const { body } = await shop.pay(sandboxPan("approve"), {
      threeDSecure2: { ...THREE_DS, requiresLiabilityShift: true },
    });
    expect(body.status).toBe("pending");
    await shop.advance("PT10M");
    const { status, transactionRequests } = await shop.charge(body.id);
    expect(status).toBe("failed");
    expect(transactionRequests[0]).toMatchObject({ requestType: "void", requestStatus: "success" });
  });

  test("gives back what it finds captured when it comes to release it", async () => {
    telling(false);
    const shop = await openShop();
    const adapter = providerFor("SANDBOX");
    vi.spyOn(adapter, "void").mockResolvedValueOnce({ kind: "undetermined", cause: "timeout" });
    const { body } = await shop.pay(sandboxPan("approve"), {
      threeDSecure2: { ...THREE_DS, requiresLiabilityShift: true },
    });
    expect(body.status).toBe("pending");
    await systemSql()`
      update sandbox_transactions set state = 'captured', captured = authorized, captured_at = created_at
       where charge_id = ${body.id}`;
    await shop.advance("PT10M");
    expect(await shop.charge(body.id)).toMatchObject({
      status: "voided",
      capturedAmount: 10_000,
      refundedAmount: 10_000,
    });
    const told = await systemSql()`select event from events where entity_id = ${body.id} order by entity_version`;
    expect(told.map(({ event }) => event)).toEqual(["pending", "authorized", "voided"]);
    const [there] = await systemSql()`
      select sum(m.amount)::int as refunded from sandbox_movements m join sandbox_transactions t on t.id = m.transaction_id
       where t.charge_id = ${body.id} and m.kind = 'refund'`;
    expect(there?.refunded).toBe(10_000);
  });
});
