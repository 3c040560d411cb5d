import {
  type CredentialTexts,
  choiceWords,
  credentialWords,
  emptyWords,
} from "@/components/merchants/credential-words";
import type { TaskField } from "@/components/tasks/task-input";
import { membersOf } from "@/lib/providers/kind-fields";
import type { RegistrableKind } from "@/lib/providers/kinds";

/** Names, numbers and public keys, which are read back as they are typed. Everything else is hidden. */
const PUBLIC: ReadonlySet<string> = new Set([
  "affiliationId",
  "app",
  "boletoBeneficiaryKey",
  "boletoClientId",
  "clientId",
  "commerceId",
  "email",
  "gatewayId",
  "liveUrlPrefix",
  "marketplaceId",
  "merchantAccount",
  "merchantCode",
  "merchantId",
  "merchantTerminal",
  "name",
  "pixClientId",
  "pixKey",
  "publicKey",
  "receiverAccount",
  "receiverBranch",
  "sellerId",
  "user",
  "userAPI",
  "version",
  "webhookUsername",
]);

interface Known {
  /** The provider's test host is reached, where nothing is needed that only live payments have. */
  isTest: boolean;
  /** Members that have a value already. */
  stored: readonly string[];
}

/** From the kind's own declaration; what is stored is never shown, and kept when left empty. */
export function credentialFields(kind: RegistrableKind, t: CredentialTexts, { isTest, stored }: Known): TaskField[] {
  const empty = emptyWords(t);
  return membersOf(kind, isTest ? "test" : "live").map(({ name, isRequired, values }) => {
    const isStored = stored.includes(name);
    const { label, hint } = credentialWords(t, kind, name);
    const nothing = { value: "", label: isStored ? empty.kept : empty.unset };
    return {
      name: `credential.${name}`,
      label,
      isRequired: isRequired && !isStored,
      hint: isStored ? empty.hint : hint,
      ...(values.length > 0
        ? {
            kind: "choice" as const,
            options: [nothing, ...values.map((value) => ({ value, label: choiceWords(t, name, value) }))],
          }
        : { kind: PUBLIC.has(name) ? ("text" as const) : ("secret" as const) }),
    };
  });
}
