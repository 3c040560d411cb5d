import { expect, test } from "vitest";
import { buyerIpOf, type Principal, systemContext } from "@/lib/context";
import { newId } from "@/lib/ids";

const ip = "203.0.113.7";
const account = {
  id: newId(),
  mode: "sandbox",
  clock: { offsetSeconds: 0, frozenAt: null },
  autoSettleSeconds: null,
} as const;
const asked = (principal: Principal) => buyerIpOf({ ...systemContext(account, newId()), ip, principal });

test("a fraud provider is shown the address of the buyer's browser, never that of the shop's server or of its people", () => {
  const browsers: Principal[] = [
    { kind: "public", publicKey: "k", rootKey: "k", scopes: ["charges"] },
    { kind: "session", publicKey: "k", sessionId: newId(), customerId: null, madeBy: null, isOver: false },
  ];
  expect(browsers.map(asked)).toEqual([ip, ip]);
  const others: Principal[] = [
    { kind: "secret", keyId: newId(), rights: null },
    { kind: "operator", operatorId: newId() },
    { kind: "system" },
  ];
  expect(others.map(asked)).toEqual([undefined, undefined, undefined]);
});
