import { rejected, unreadable } from "@/lib/providers/answers";
import { answerOf, declineOf } from "@/lib/providers/cielo/answers";
import { send } from "@/lib/providers/cielo/call";
import { CHECKED_BRANDS } from "@/lib/providers/cielo/capabilities";
import type { Family } from "@/lib/providers/cielo/family";
import { cardOf } from "@/lib/providers/cielo/payment";
import { zeroAuth } from "@/lib/providers/cielo/wire";
import type { Connections } from "@/lib/providers/connections";
import type { AuthorizeInput, CallContext, CardAuth, Outcome } from "@/lib/providers/provider";

const NOT_CHECKED = 99;
const VALID: ReadonlyMap<number, boolean> = new Map([
  [0, false],
  [1, true],
]);

/** A check of the card without value: it leaves no payment behind, so its name is ours. */
export async function verifyCard(
  { verifyCard: wanted, providerOf }: Family,
  connections: Connections,
  call: CallContext,
  input: AuthorizeInput,
): Promise<Outcome<CardAuth>> {
  const { card } = input;
  if (!CHECKED_BRANDS.includes(card.brand)) return rejected("unsupported", `a card of ${card.brand} is not checked`);
  const { Brand, CardNumber, Holder, ExpirationDate, SecurityCode } = cardOf(card);
  const asked = {
    CardType: "CreditCard",
    CardNumber,
    Holder,
    ExpirationDate,
    ...(SecurityCode === undefined ? {} : { SecurityCode }),
    Brand,
  };
  const provider = providerOf(call, "card");
  const body = wanted.body(asked, provider);
  const read = answerOf(await send(connections, call, { method: "POST", path: wanted.path, body }), zeroAuth);
  if (!read.ok) return read.outcome;
  const { value, status } = read;
  const isValid = value.Valid ?? VALID.get(value.Status ?? NOT_CHECKED);
  if (isValid === undefined) return unreadable(status);
  const raw = { status, headers: {}, body: { Valid: isValid, ReturnCode: value.ReturnCode } };
  const providerTxId = call.ref.providerReference;
  if (!isValid) {
    const answer = { ReturnCode: value.ReturnCode, ProviderReturnCode: value.ProviderReturnCode };
    const decline = declineOf(
      { ...answer, Provider: provider ?? null, MerchantAdviceCode: null },
      card.brand,
      input.crossBorder,
      call.clock.now(),
    );
    return { kind: "declined", ...decline, providerTxId, raw };
  }
  return {
    kind: "approved",
    at: call.clock.now().toISOString(),
    amount: 0,
    providerTxId,
    data: {
      captured: false,
      installments: 1,
      brand: card.brand,
      ...(value.IssuerTransactionId ? { networkTransactionId: value.IssuerTransactionId } : {}),
      cvvChecked: card.cvv !== undefined,
    },
    raw,
  };
}
