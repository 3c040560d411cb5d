import type { IncomingMessage } from "node:http";
import { getToken } from "next-auth/jwt";
import { ownCookie } from "@/app/(auth)/cookies";
import { sellerCookie } from "@/app/(seller)/cookie";
import { systemDb } from "@/db/client";
import { env } from "@/lib/env";
import { ADDRESS_HEADER } from "@/lib/http/endpoint";
import { findOperatorSession } from "@/lib/operators/sessions";
import { SELLER_PATH } from "@/lib/seller-access/links";
import { findSellerSession } from "@/lib/seller-access/sessions";
import { realNow } from "@/lib/time";

/** Whether the cookie stands for a session that lives there, asked before a body is read. */
export async function isSignedIn({
  url,
  headers: { cookie, [ADDRESS_HEADER]: address },
}: IncomingMessage): Promise<boolean> {
  if (url?.startsWith(`${SELLER_PATH}/`)) return isEntered(cookie);
  const { name } = ownCookie("session");
  const token = await getToken({
    req: { headers: new Headers({ cookie: cookie ?? "" }) },
    secret: env().AUTH_SECRET,
    cookieName: name,
    salt: name,
  });
  if (typeof token?.sessionId !== "string") return false;
  const from = { address: typeof address === "string" ? address : null };
  return (await findOperatorSession(systemDb(), token.sessionId, realNow(), from)) !== undefined;
}

async function isEntered(cookie: string | undefined): Promise<boolean> {
  const { name } = sellerCookie();
  const secret = cookie?.match(new RegExp(`(?:^|; )${name.replace(".", "\\.")}=([\\w-]+)`))?.[1];
  return secret !== undefined && (await findSellerSession(secret, null)) !== undefined;
}
