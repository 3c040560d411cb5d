import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { auth } from "@/app/(auth)/auth";
import { ownCookie } from "@/app/(auth)/cookies";
import { askedPath } from "@/app/(auth)/return-path";
import { addressOf, askedOf } from "@/app/request-origin";
import { systemDb } from "@/db/client";
import { LOCALE_COOKIE, localeFor } from "@/lib/i18n/locales";
import { findOperatorSession, type SignedIn } from "@/lib/operators/sessions";
import { realNow } from "@/lib/time";

/** Who is signed in, once per request; every page and every action asks by itself. */
export const findSignedIn = cache(async (): Promise<SignedIn | undefined> => {
  const session = await auth();
  if (!session?.sessionId) return undefined;
  const [asked, cookieJar] = await Promise.all([headers(), cookies()]);
  const [chosen, accepted] = [cookieJar.get(LOCALE_COOKIE)?.value, asked.get("accept-language")];
  return findOperatorSession(systemDb(), session.sessionId, realNow(), {
    address: addressOf(asked),
    // A client that names no language says nothing of the person's.
    locale: chosen === undefined && accepted === null ? undefined : localeFor(chosen, accepted),
  });
});

/** The one page that a live account shows to somebody without a second factor. */
export const FACTOR_PAGE = "/dashboard/settings/security";

export async function requireSignedIn(path: string): Promise<SignedIn> {
  const signedIn = await findSignedIn();
  if (!signedIn) {
    const asked = askedPath(path, askedOf(await headers()));
    // Signing out takes the cookie along: one whose session is over says that it ended by itself.
    const hadSession = (await cookies()).get(ownCookie("session").name) !== undefined;
    redirect(`/sign-in?${new URLSearchParams({ ...(hadSession ? { ended: "1" } : {}), return: asked })}`);
  }
  if (signedIn.withoutFactor && path !== FACTOR_PAGE) redirect(FACTOR_PAGE);
  return signedIn;
}
