import { cookies } from "next/headers";
import { ownCookie } from "@/app/(auth)/cookies";
import type { SignInState } from "@/components/sign-in/sign-in-form";
import { systemDb } from "@/db/client";
import { isChallengeOpen, passkeyOfStep } from "@/lib/sign-in/service";
import { realNow } from "@/lib/time";

const STEP_SECONDS = 5 * 60;

/** The second step of somebody who came from their company's sign-in begins on a page of its own. */
export async function keepStep(challenge: string): Promise<void> {
  const { name, options } = ownCookie("step");
  (await cookies()).set(name, challenge, { ...options, maxAge: STEP_SECONDS });
}

export async function dropStep(): Promise<void> {
  const { name, options } = ownCookie("step");
  const jar = await cookies();
  if (jar.get(name)) jar.set(name, "", { ...options, maxAge: 0 });
}

/** What the form begins with, while the step is open. */
export async function keptStep(): Promise<SignInState | undefined> {
  const challenge = (await cookies()).get(ownCookie("step").name)?.value;
  if (!challenge || !(await isChallengeOpen(systemDb(), challenge, realNow()))) return undefined;
  const passkey = await passkeyOfStep(systemDb(), challenge, realNow());
  return { email: "", challenge, ...(passkey ? { passkey } : {}) };
}
