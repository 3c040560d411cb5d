import { createHash } from "node:crypto";
import { networkOf } from "@/lib/addresses";

/** A visit is known by its digest alone: what the cookie holds is not kept. */
export const visitDigest = (visit: string): string => createHash("sha256").update(`visit:${visit}`).digest("base64url");

/** What a challenge of a public key is bound to, in the shape of a session's id. */
export const captchaPlaceOf = (key: string, ip: string): string =>
  createHash("sha256")
    .update(`captcha:${key} ${networkOf(ip)}`)
    .digest("hex")
    .slice(0, 36);
