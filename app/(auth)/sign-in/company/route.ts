import { cookies } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { ownCookie } from "@/app/(auth)/cookies";
import { returnPath } from "@/app/(auth)/return-path";
import { leaveForCompany, ourCompany, RETURN_SECONDS } from "@/lib/sign-in/company-sign-in";
import { realNow } from "@/lib/time";

/** Off to the company's own sign-in. */
export async function GET(request: Request): Promise<Response> {
  const company = ourCompany();
  if (!company) notFound();
  const returnTo = returnPath(new URL(request.url).searchParams.get("return") ?? undefined);
  const left = await leaveForCompany(company, returnTo, realNow());
  if (!left) redirect(`/sign-in?${new URLSearchParams({ company: "unreachable", return: returnTo })}`);
  const { name, options } = ownCookie("company");
  (await cookies()).set(name, left.sealed, { ...options, maxAge: RETURN_SECONDS });
  redirect(left.url);
}
