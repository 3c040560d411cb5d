import type { IncomingMessage } from "node:http";
import { getToken } from "next-auth/jwt";
import { ownCookie } from "@/app/(auth)/cookies";
import { systemDb } from "@/db/client";
import { env } from "@/lib/env";
import { ADDRESS_HEADER } from "@/lib/http/endpoint";
import { findOperatorSession } from "@/lib/operators/sessions";
import { realNow } from "@/lib/time";

/** Whether the cookie stands for a session that lives, asked before a body is read. */
export async function isSignedIn({
  headers: { cookie, [ADDRESS_HEADER]: address },
}: IncomingMessage): Promise<boolean> {
  const { name } = ownCookie("session");
  const token = await getToken({
    req: { headers: new Headers({ cookie: cookie ?? "" }) },
    secret: env().AUTH_SECRET,
    cookieName: name,
    salt: name,
  });
  if (typeof token?.sessionId !== "string") return false;
  const from = typeof address === "string" ? address : null;
  return (await findOperatorSession(systemDb(), token.sessionId, realNow(), from)) !== undefined;
}
