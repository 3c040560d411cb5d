"use server";

import { revalidatePath } from "next/cache";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { signOut } from "@/app/(auth)/auth";
import { findSignedIn } from "@/app/(auth)/signed-in";
import { chooseTimeZone } from "@/app/preferences";
import { isSameOrigin } from "@/app/request-origin";
import { systemDb } from "@/db/client";
import { timeZoneOf } from "@/lib/i18n/time-zones";
import { isUuid } from "@/lib/ids";
import { switchAccount } from "@/lib/operators/sessions";

export async function signOutAction(): Promise<void> {
  if (!isSameOrigin(await headers())) return;
  await signOut({ redirect: false });
  redirect("/sign-in?out=1");
}

export async function switchAccountAction(clientId: string): Promise<void> {
  const signedIn = await findSignedIn();
  if (!signedIn || !isUuid(clientId) || !isSameOrigin(await headers())) return;
  const isThere = await switchAccount(systemDb(), signedIn, clientId);
  const zone = signedIn.accounts.find(({ id }) => id === clientId)?.timeZone;
  if (isThere && signedIn.operator.timeZone === null) await chooseTimeZone(timeZoneOf(zone));
  // The frame around the pages names the account too; by itself it would stay as it is.
  revalidatePath("/dashboard", "layout");
  redirect("/dashboard");
}
