import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { auth } from "@/app/(auth)/auth";
import { addressOf } from "@/app/request-origin";
import { systemDb } from "@/db/client";
import { findSession, type SignedIn } from "@/lib/operators/sessions";
import { realNow } from "@/lib/time";

/** Who is signed in, once per request; every page and every action asks by itself. */
export const findSignedIn = cache(async (): Promise<SignedIn | undefined> => {
  const session = await auth();
  if (!session?.sessionId) return undefined;
  return findSession(systemDb(), session.sessionId, realNow(), addressOf(await headers()));
});

export async function requireSignedIn(path: string): Promise<SignedIn> {
  const signedIn = await findSignedIn();
  return signedIn ?? redirect(`/sign-in?${new URLSearchParams({ return: path })}`);
}
