"use server";

import { revalidatePath } from "next/cache";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { signOut } from "@/app/(auth)/auth";
import { findSignedIn } from "@/app/(auth)/signed-in";
import { isSameOrigin } from "@/app/request-origin";
import { systemDb } from "@/db/client";
import { switchAccount } from "@/lib/operators/sessions";

export async function signOutAction(): Promise<void> {
  if (!isSameOrigin(await headers())) return;
  await signOut({ redirect: false });
  redirect("/sign-in?out=1");
}

export async function switchAccountAction(clientId: string): Promise<void> {
  const signedIn = await findSignedIn();
  if (!signedIn || !isSameOrigin(await headers())) return;
  await switchAccount(systemDb(), signedIn, clientId);
  // The frame around the pages names the account too; by itself it would stay as it is.
  revalidatePath("/dashboard", "layout");
  redirect("/dashboard");
}
