import { open, seal, serverSecret } from "@/lib/secrets";

/**
 * That this browser asked for a code, and for which address: kept in the browser itself, readable to the server alone,
 * and the same whether or not anything was sent. A row would tell whose details are saved here.
 */

/** As long as a code lives. */
export const ASKED_CODE_SECONDS = 600;
const NONCE_BYTES = 12;

const key = (): Buffer => serverSecret("asked code");
const boundTo = (sessionId: string, visit: string): string => `${sessionId}:${visit}`;

export function sealAskedCode(sessionId: string, visit: string, email: string): string {
  const { nonce, ciphertext } = seal(key(), Buffer.from(email), boundTo(sessionId, visit));
  return Buffer.concat([nonce, ciphertext]).toString("base64url");
}

/** The address; undefined for what this browser did not ask for on this link. */
export function openAskedCode(sessionId: string, visit: string, sealed: string | undefined): string | undefined {
  const bytes = Buffer.from(sealed ?? "", "base64url");
  if (bytes.length <= NONCE_BYTES) return undefined;
  try {
    const given = { nonce: bytes.subarray(0, NONCE_BYTES), ciphertext: bytes.subarray(NONCE_BYTES) };
    return open(key(), given, boundTo(sessionId, visit)).toString();
  } catch {
    return undefined;
  }
}
