import { cookies } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { signIn } from "@/app/(auth)/auth";
import { ownCookie } from "@/app/(auth)/cookies";
import { deviceHere, keepDevice } from "@/app/(auth)/device-cookie";
import { DASHBOARD } from "@/app/(auth)/return-path";
import { keepStep } from "@/app/(auth)/sign-in/second-step";
import { findSignedIn } from "@/app/(auth)/signed-in";
import { chooseLocale, chooseTimeZone } from "@/app/preferences";
import { addressOf } from "@/app/request-origin";
import { systemDb } from "@/db/client";
import { timeZoneOf } from "@/lib/i18n/time-zones";
import { revokeSession } from "@/lib/operators/sessions";
import { signInByCompany } from "@/lib/sign-in/company-people";
import { backFromCompany, ourCompany } from "@/lib/sign-in/company-sign-in";
import { profileAtDoor } from "@/lib/sign-in/profile";
import { sessionTicket } from "@/lib/sign-in/session-ticket";
import { realNow } from "@/lib/time";

const MOST_QUERY_CHARS = 4_000;

/** Back from the company's own sign-in: with a session, before our second factor, or with the reason why not. */
export async function GET(request: Request): Promise<Response> {
  const company = ourCompany();
  if (!company) notFound();
  const jar = await cookies();
  const { name, options } = ownCookie("company");
  const sealed = jar.get(name)?.value ?? "";
  jar.set(name, "", { ...options, maxAge: 0 });
  const query = new URL(request.url).search.slice(0, MOST_QUERY_CHARS);
  const back = await backFromCompany(systemDb(), company, { query, sealed }, realNow());
  if (back.kind !== "back") return refuse(back.kind, DASHBOARD);
  const { claims, returnTo } = back;
  const from = {
    address: addressOf(request.headers),
    userAgent: request.headers.get("user-agent"),
    device: await deviceHere(),
  };
  const outcome = await signInByCompany(systemDb(), claims, from, realNow());
  if (outcome.kind === "second_factor") {
    await keepStep(outcome.challenge);
    redirect(`/sign-in?${new URLSearchParams({ return: returnTo })}`);
  }
  if (outcome.kind !== "signed_in") return refuse(outcome.kind, returnTo);
  const { operator, sessionId, device } = outcome;
  await keepDevice(device);
  const earlier = await findSignedIn();
  const ticket = sessionTicket({ operatorId: operator.id, sessionId }, realNow());
  await signIn("credentials", { ticket, redirect: false });
  if (earlier) await revokeSession(systemDb(), earlier.sessionId, realNow());
  const profile = await profileAtDoor(systemDb(), { email: operator.email });
  if (profile?.locale) await chooseLocale(profile.locale);
  await chooseTimeZone(timeZoneOf(profile?.timeZone));
  redirect(returnTo);
}

const refuse = (why: string, returnTo: string): never =>
  redirect(`/sign-in?${new URLSearchParams({ company: why, return: returnTo })}`);
