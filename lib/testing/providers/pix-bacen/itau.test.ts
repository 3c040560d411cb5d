import { afterAll, beforeAll, expect, test } from "vitest";
import { secretOf } from "@/lib/providers/secret";
import { aCall, aPix, expectKind, found, type Rig } from "@/lib/testing/provider-conformance/rig";
import { rigClock } from "@/lib/testing/providers/kit/rig";
import { type BankMock, startBank } from "@/lib/testing/providers/pix-bacen/mock";
import { bankProvider, bankRig, useBank } from "@/lib/testing/providers/pix-bacen/rig";

const clock = rigClock();
let mock: BankMock;
let rig: Rig;
beforeAll(async () => {
  mock = await startBank({
    prefix: "/sandboxapi/pix_recebimentos_ext_v2/v2",
    tokenPath: "/api/jwt",
    alsoAsked: [],
    now: clock.now,
  });
  useBank("ITAU", mock);
  const { cert, key } = mock.client;
  const credentials = secretOf({
    pixClientId: "client",
    pixSecretKey: "secret",
    pixMtlsCert: cert,
    pixMtlsCertKey: Buffer.from(key).toString("base64"),
    pixKey: "loja@example.com",
  });
  rig = { ...bankRig(mock, clock), provider: bankProvider("ITAU"), credentials };
});
afterAll(() => mock.close());

test("the same charge, payment, refund and removal behind another bank's door", async () => {
  const call = aCall(rig, "pix");
  const { providerTxId } = expectKind(await rig.provider.createPix(call, aPix()), "pending");
  await rig.payPix(providerTxId, {});
  const input = { providerTxId, amount: 20_00, captured: 50_00, alreadyRefunded: 0 };
  expectKind(await rig.provider.refund(aCall(rig, "refund"), input), "approved");
  expect(await found(rig, call)).toMatchObject({ state: "authorized", captured: 50_00, refunded: 20_00 });
  const other = aCall(rig, "pix");
  const { providerTxId: unpaid } = expectKind(await rig.provider.createPix(other, aPix()), "pending");
  expectKind(await rig.provider.cancelOpen(aCall(rig, "cancel_open"), { providerTxId: unpaid }), "approved");
  expect((await found(rig, other)).state).toBe("canceled");
  expect(mock.breaches).toEqual([]);
});
