"use server";

import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { SignInRefused, signIn } from "@/app/(auth)/auth";
import { returnPath } from "@/app/(auth)/return-path";
import { findSignedIn } from "@/app/(auth)/signed-in";
import { isSameOrigin } from "@/app/request-origin";
import type { SignInState } from "@/components/sign-in/sign-in-form";
import { systemDb } from "@/db/client";
import { revokeSession } from "@/lib/operators/sessions";
import { realNow } from "@/lib/time";

const LIKELY_EMAIL = /^\s*[^\s@]+@[^\s@]+\s*$/;

export async function signInAction(_before: SignInState, form: FormData): Promise<SignInState> {
  const email = String(form.get("email") ?? "");
  const password = String(form.get("password") ?? "");
  if (!isSameOrigin(await headers())) return { email, problem: "refused" };
  if (!LIKELY_EMAIL.test(email)) return { email, problem: "emailInvalid" };
  if (password === "") return { email, problem: "passwordMissing" };

  const earlier = await findSignedIn();
  try {
    await signIn("credentials", { email, password, redirect: false });
  } catch (thrown) {
    if (thrown instanceof SignInRefused) return { email, problem: thrown.code };
    throw thrown;
  }
  if (earlier) await revokeSession(systemDb(), earlier.sessionId, realNow());
  redirect(returnPath(form.get("return")));
}
