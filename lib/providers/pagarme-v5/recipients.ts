import { foundNothing, type Read, rejected, unanswered, unreadable } from "@/lib/providers/answers";
import type { Connections } from "@/lib/providers/connections";
import { answerOf } from "@/lib/providers/pagarme-v5/answers";
import { recipientPath, send } from "@/lib/providers/pagarme-v5/call";
import { LATE_WINDOW_SECONDS } from "@/lib/providers/pagarme-v5/capabilities";
import {
  anticipationOf,
  bankAccountOf,
  registrationOf,
  transferSettingsOf,
} from "@/lib/providers/pagarme-v5/recipient-body";
import { recipient, type WireRecipient } from "@/lib/providers/pagarme-v5/wire";
import type { Outcome } from "@/lib/providers/provider";
import type {
  RecipientCall,
  RecipientProvider,
  RecipientState,
  RegistrationStatus,
  SellerInput,
} from "@/lib/providers/recipients";

export const recipientCalls = (connections: Connections): RecipientProvider => ({
  paysThem: true,
  async register(call, input) {
    const account = bankAccountOf(input.bankAccount);
    if (typeof account === "string") return rejected("unsupported", account);
    const body = registrationOf(call.ref.reference, input, account);
    const read = answerOf(await send(connections, call, { method: "POST", path: "/recipients", body }), recipient);
    if (!read.ok) return read.outcome;
    const { value, status } = read;
    if (value.code !== call.ref.reference) return unreadable(status);
    return approved(call, read, { ...stateOf(value), externalId: value.id });
  },
  update: (call, input) => update(connections, call, input),
  // The seller gives them to the provider on a page of its own.
  sendDocument: () => Promise.resolve(rejected("unsupported", "documents are given on the provider's own page")),
  async queryRecipient(call, { externalId, reference, sentUntil }) {
    // One address for both: its own id, and our code.
    const path = recipientPath(externalId ?? reference);
    const read = answerOf(await send(connections, call, { method: "GET", path }), recipient);
    if (read.ok) {
      const { id, code } = read.value;
      const isAsked = externalId === undefined ? code === reference : id === externalId;
      return isAsked ? { kind: "found", externalId: id, ...stateOf(read.value), reviews: [] } : { kind: "unavailable" };
    }
    const { outcome } = read;
    if (outcome.kind !== "rejected" || outcome.problem !== "not_found") return unanswered(outcome);
    return foundNothing({ sentUntil }, LATE_WINDOW_SECONDS, call.clock.now());
  },
});

/** Account and policy; who somebody is cannot be changed after it was examined. */
async function update(
  connections: Connections,
  call: RecipientCall,
  input: SellerInput & { externalId: string },
): Promise<Outcome<RecipientState>> {
  const account = bankAccountOf(input.bankAccount);
  if (typeof account === "string") return rejected("unsupported", account);
  const anticipation = anticipationOf(input.transferPolicy);
  const steps: readonly [action: string, body: unknown][] = [
    ["default-bank-account", { bank_account: account, payment_mode: "bank_transfer" }],
    ["transfer-settings", transferSettingsOf(input.transferPolicy)],
    ["automatic-anticipation-settings", anticipation ?? { enabled: false }],
  ];
  let last: Read<WireRecipient> | undefined;
  for (const [action, body] of steps) {
    const path = recipientPath(input.externalId, action);
    last = answerOf(await send(connections, call, { method: "PATCH", path, body, step: action }), recipient);
    if (!last.ok) return refusedChange(last.outcome);
  }
  return last?.ok ? approved(call, last, stateOf(last.value)) : rejected("invalid_request", "nothing to change");
}

/** What it does not take is refused for good, and the old data stand. */
const refusedChange = (outcome: Outcome<never>): Outcome<never> =>
  outcome.kind === "rejected" && (outcome.problem === "invalid_request" || outcome.problem === "invalid_state")
    ? {
        kind: "declined",
        declinedCode: "generic",
        retry: "never",
        reason: outcome.detail,
        raw: { headers: {}, body: { error: outcome.problem } },
      }
    : outcome;

const STATUS: Readonly<Record<string, RegistrationStatus>> = {
  registration: "pending",
  affiliation: "pending",
  active: "active",
  refused: "refused",
  suspended: "blocked",
  blocked: "blocked",
  inactive: "inactive",
};

function stateOf({ status, status_reason: reason, kyc_details: kyc }: WireRecipient): RecipientState {
  const why = [reason, kyc?.status, kyc?.status_reason].filter((one) => one && one !== "ok" && one !== "approved");
  const known = STATUS[status] ?? "pending";
  return {
    status: known,
    externalStatus: status,
    ...(why.length > 0 && known !== "active" ? { reason: why.join(", ") } : {}),
  };
}

const approved = <T>(
  call: RecipientCall,
  { value, status }: { value: WireRecipient; status: number },
  data: T,
): Outcome<T> => ({
  kind: "approved",
  at: call.clock.now().toISOString(),
  amount: 0,
  providerTxId: value.id,
  data,
  raw: { status, headers: {}, body: { id: value.id, status: value.status } },
});
