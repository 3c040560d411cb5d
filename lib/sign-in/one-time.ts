import { createHash, randomBytes } from "node:crypto";

const TOKEN_BYTES = 32;
const LONGEST_TOKEN = 100;

/** A secret for one link: it goes into the e-mail, its digest into the row. */
export function newOneTimeToken(): { token: string; digest: Buffer } {
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  return { token, digest: digestOfOneTimeToken(token) };
}

export const digestOfOneTimeToken = (token: string): Buffer =>
  createHash("sha256").update(token.slice(0, LONGEST_TOKEN)).digest();
