import type { Secret } from "@/lib/providers/provider";
import { secretOf } from "@/lib/providers/secret";
import { KEPT } from "@/lib/purposes";
import { openText, sealText } from "@/lib/secrets";

/** Encrypted under the key-encryption key and bound to the provider's row: copied to another row it does not open. */
export const sealCredentials = (providerId: string, fields: Readonly<Record<string, string>>): Buffer =>
  sealText(KEPT.credentials, JSON.stringify(fields), providerId);

export function openCredentials(providerId: string, sealed: Buffer): Secret {
  // Guarantee: only sealCredentials writes the column, and decryption authenticates what it wrote.
  return secretOf(JSON.parse(openText(KEPT.credentials, sealed, providerId)) as Record<string, string>);
}
