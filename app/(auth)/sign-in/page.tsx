import { Building2, Check } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { returnPath } from "@/app/(auth)/return-path";
import { signInAction } from "@/app/(auth)/sign-in/actions";
import { keptStep } from "@/app/(auth)/sign-in/second-step";
import { findSignedIn } from "@/app/(auth)/signed-in";
import { PreferenceControls } from "@/app/preference-controls";
import { Wordmark } from "@/components/brand/wordmark";
import { type CompanyProblem, SignInForm, type SignInState } from "@/components/sign-in/sign-in-form";
import { Button } from "@/components/ui/button";
import { hasLiveAccounts } from "@/lib/accounts/service";
import { demoFile } from "@/lib/demo-file";
import { env } from "@/lib/env";
import { SESSION_ABSOLUTE_SECONDS, SESSION_IDLE_SECONDS } from "@/lib/operators/sessions";
import { COMPANY_PATH, ourCompany } from "@/lib/sign-in/company-sign-in";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("signIn");
  return { title: t("title") };
}

const COMPANY_PROBLEMS: Readonly<Record<string, CompanyProblem | "locked">> = {
  unknown: "companyUnknown",
  refused: "companyRefused",
  stale: "companyStale",
  unreachable: "companyUnreachable",
  locked: "locked",
};
const companyProblemOf = (why: string | string[] | undefined): CompanyProblem | "locked" | undefined =>
  typeof why === "string" && Object.hasOwn(COMPANY_PROBLEMS, why) ? COMPANY_PROBLEMS[why] : undefined;

/** What brought somebody here, by what the address says of it. */
const SAID = [
  ["out", "signedOut"],
  ["joined", "joined"],
  ["reset", "resetDone"],
  ["ended", "ended"],
] as const;
const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;

interface SignInPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function SignInPage({ searchParams }: SignInPageProps) {
  const query = await searchParams;
  const returnTo = returnPath(query.return);
  if (await findSignedIn()) redirect(returnTo);
  const hasCompany = ourCompany() !== undefined;
  const companyProblem = hasCompany ? companyProblemOf(query.company) : undefined;
  const initial: SignInState | undefined = companyProblem
    ? { email: "", problem: companyProblem }
    : query.again === "1"
      ? undefined
      : await keptStep();
  const t = await getTranslations("signIn");
  const said = SAID.find(([name]) => query[name] === "1")?.[1];
  const code = (text: React.ReactNode) => <code className="font-mono text-ink-2">{text}</code>;
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)]">
      <div className="flex flex-col px-5 sm:px-10">
        <header className="flex h-16 items-center justify-between">
          <Link href="/" className="rounded-md">
            <Wordmark />
          </Link>
          <div className="flex">
            <PreferenceControls />
          </div>
        </header>
        <main className="mx-auto flex w-full max-w-sm flex-1 flex-col justify-center py-12">
          <h1 className="font-semibold text-2xl text-ink">{t("title")}</h1>
          <div className="mt-8">
            <SignInForm
              action={signInAction}
              returnTo={returnTo}
              initial={initial}
              said={
                said &&
                t(said, {
                  minutes: SESSION_IDLE_SECONDS / MINUTE_SECONDS,
                  hours: SESSION_ABSOLUTE_SECONDS / HOUR_SECONDS,
                })
              }
              forgot={
                <Link href="/forgot" className="rounded-sm text-accent-ink text-sm underline-offset-4 hover:underline">
                  {t("forgot")}
                </Link>
              }
              texts={{
                email: t("email"),
                password: t("password"),
                submit: t("submit"),
                code: t("code"),
                codeHint: t("codeHint"),
                confirm: t("confirm"),
                passkey: t("passkey"),
                solving: t("solving"),
                solved: t("solved"),
                unsolvable: t("unsolvable"),
                problems: {
                  wrong: t("wrong"),
                  locked: t("locked"),
                  lockedHere: t("lockedHere"),
                  emailInvalid: t("emailInvalid"),
                  passwordMissing: t("passwordMissing"),
                  refused: t("refused"),
                  codeMissing: t("codeMissing"),
                  codeWrong: t("codeWrong"),
                  passkeyWrong: t("passkeyWrong"),
                  over: t("over"),
                  companyUnknown: t("companyUnknown"),
                  companyRefused: t("companyRefused"),
                  companyStale: t("companyStale"),
                  companyUnreachable: t("companyUnreachable"),
                },
              }}
            />
          </div>
          {initial?.challenge ? (
            // The step waits in a cookie, so the page itself would begin with it again.
            <a
              href={`/sign-in?${new URLSearchParams({ again: "1", return: returnTo })}`}
              className="mt-5 justify-self-start rounded-sm text-accent-ink text-sm underline-offset-4 hover:underline"
            >
              {t("again")}
            </a>
          ) : null}
          {hasCompany && !initial?.challenge ? (
            <div className="mt-6 grid gap-6">
              <p className="flex items-center gap-3 text-ink-3 text-sm before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
                {t("or")}
              </p>
              <Button asChild size="lg">
                {/* A page that leaves ours is not loaded in advance. */}
                <a href={`${COMPANY_PATH}?${new URLSearchParams({ return: returnTo })}`}>
                  <Building2 aria-hidden />
                  {t("company")}
                </a>
              </Button>
            </div>
          ) : null}
          {(await hasLiveAccounts()) ? null : (
            <p className="mt-8 text-ink-3 text-sm">{t.rich("demo", { code, file: demoFile(env().TRILHO_DATA_DIR) })}</p>
          )}
        </main>
      </div>
      <aside className="relative hidden overflow-hidden border-line border-l bg-surface lg:block">
        <div className="absolute inset-y-0 left-[18%] w-[26px] rotate-180 opacity-80">
          <VerticalTrack />
        </div>
        <div className="relative flex h-full flex-col justify-center py-16 pr-16 pl-[calc(18%+4.500rem)]">
          <p className="font-semibold text-3xl text-ink">{t("sideTitle")}</p>
          <ul className="mt-8 grid max-w-md gap-5 text-ink-2 text-lg">
            {[t("sidePoint1"), t("sidePoint2"), t("sidePoint3")].map((point) => (
              <li key={point} className="flex gap-3.5">
                <Check aria-hidden className="mt-1 size-5 shrink-0 text-accent-ink" />
                {point}
              </li>
            ))}
          </ul>
        </div>
      </aside>
    </div>
  );
}

function VerticalTrack() {
  return (
    <svg aria-hidden="true" className="h-full w-full" preserveAspectRatio="none">
      <defs>
        <pattern id="sleepers" width="26" height="18" patternUnits="userSpaceOnUse">
          <rect width="26" height="4" className="fill-line" />
        </pattern>
      </defs>
      <rect width="26" height="100%" fill="url(#sleepers)" />
      <rect x="5" width="2" height="100%" className="fill-accent" />
      <rect x="19" width="2" height="100%" className="fill-accent" />
    </svg>
  );
}
