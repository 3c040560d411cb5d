"use server";

import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { SignInRefused, signIn } from "@/app/(auth)/auth";
import { returnPath } from "@/app/(auth)/return-path";
import { dropStep } from "@/app/(auth)/sign-in/second-step";
import { findSignedIn } from "@/app/(auth)/signed-in";
import { chooseLocale, chooseTimeZone } from "@/app/preferences";
import { isSameOrigin } from "@/app/request-origin";
import type { SignInState } from "@/components/sign-in/sign-in-form";
import { systemDb } from "@/db/client";
import { timeZoneOf } from "@/lib/i18n/time-zones";
import { revokeSession } from "@/lib/operators/sessions";
import { profileAtDoor } from "@/lib/sign-in/profile";
import { passkeyOfStep } from "@/lib/sign-in/service";
import { realNow } from "@/lib/time";

const LIKELY_EMAIL = /^\s*[^\s@]+@[^\s@]+\s*$/;

export async function signInAction(_before: SignInState, form: FormData): Promise<SignInState> {
  const text = (name: string): string => String(form.get(name) ?? "");
  const email = text("email");
  const challenge = text("challenge");
  if (!isSameOrigin(await headers())) return { email, problem: "refused" };
  if (challenge !== "") {
    const passkey = text("passkey");
    if (passkey === "" && text("code").trim() === "") return withPasskey({ email, challenge, problem: "codeMissing" });
    const proof = passkey === "" ? { code: text("code") } : { passkey };
    const next = await enter({ challenge, ...proof }, form, (refused) =>
      refused.code === "over"
        ? { email, problem: "over" }
        : { email, challenge, problem: codeProblem(refused, passkey !== "") },
    );
    if (next.problem === "over") await dropStep();
    return next;
  }
  const password = text("password");
  if (!LIKELY_EMAIL.test(email)) return { email, problem: "emailInvalid" };
  if (password === "") return { email, problem: "passwordMissing" };
  return enter({ email, password, proof: text("proof") }, form, ({ code, asked }) =>
    asked.challenge || asked.puzzle
      ? { email, ...asked }
      : { email, problem: code === "locked" ? "lockedHere" : "wrong" },
  );
}

const codeProblem = ({ code }: SignInRefused, isPasskey: boolean) =>
  code === "locked" ? "locked" : isPasskey ? "passkeyWrong" : "codeWrong";

/** While the second step is open, a browser with a passkey may answer it. */
async function withPasskey(state: SignInState): Promise<SignInState> {
  const asked = state.challenge ? await passkeyOfStep(systemDb(), state.challenge, realNow()) : undefined;
  return asked ? { ...state, passkey: asked } : state;
}

async function enter(
  given:
    | { email: string; password: string; proof: string }
    | { challenge: string; code: string }
    | { challenge: string; passkey: string },
  form: FormData,
  refuse: (refused: SignInRefused) => SignInState,
): Promise<SignInState> {
  const earlier = await findSignedIn();
  try {
    await signIn("credentials", { ...given, redirect: false });
  } catch (thrown) {
    if (thrown instanceof SignInRefused) return withPasskey(refuse(thrown));
    throw thrown;
  }
  await dropStep();
  await look(given);
  if (earlier) await revokeSession(systemDb(), earlier.sessionId, realNow());
  redirect(returnPath(form.get("return")));
}

/** The pages of the dashboard are in the person's language and zone from the first on. */
async function look(proven: { email: string } | { challenge: string }): Promise<void> {
  const profile = await profileAtDoor(systemDb(), proven);
  if (profile?.locale) await chooseLocale(profile.locale);
  if (profile) await chooseTimeZone(timeZoneOf(profile.timeZone));
}
