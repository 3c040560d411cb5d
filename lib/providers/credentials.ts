import { checkCredentials, type ProviderKind } from "@/lib/providers/kinds";
import type { Result, Secret } from "@/lib/providers/provider";
import { secretOf } from "@/lib/providers/secret";

/** Checks what a merchant gave for a kind, by the kind's own members. */
export const credentialsOf =
  (kind: ProviderKind) =>
  (raw: unknown): Result<Secret> => {
    const checked = checkCredentials(kind, raw);
    return checked.ok ? { ok: true, value: secretOf(checked.value.fields) } : checked;
  };
