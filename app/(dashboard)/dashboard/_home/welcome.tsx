import { UserRoundX } from "lucide-react";
import Link from "next/link";
import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { FirstSteps } from "@/components/dashboard/first-steps";
import { ownKeysCommand, payPixCommand, pixCommand } from "@/components/onboarding/commands";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { env } from "@/lib/env";
import { may } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";

interface WelcomeProps {
  name: string;
  /** Absent for a person who belongs to no account. */
  own: { clientId: string; mode: "sandbox" | "live"; merchantId: string | undefined; role: OperatorRole } | undefined;
}

/** What the home page teaches while there is nothing to show. */
export async function Welcome({ name, own }: WelcomeProps) {
  const t = await getTranslations("dashboard");
  const code = (text: ReactNode) => (
    <code className="rounded-sm bg-sunken px-1 py-0.5 font-mono text-[0.92em]">{text}</code>
  );
  const keys = (text: ReactNode) => <StepLink href="/dashboard/developers/keys">{text}</StepLink>;
  const merchants = (text: ReactNode) => <StepLink href="/dashboard/merchants">{text}</StepLink>;
  return (
    <div className="mx-auto max-w-4xl">
      <h1 className="font-semibold text-2xl text-ink">{t("welcome", { name })}</h1>
      <p className="mt-1.5 text-ink-2">{t("homeDescription")}</p>
      <div className="mt-8">
        {own ? (
          <FirstSteps
            title={t("stepsTitle")}
            description={own.mode === "sandbox" ? t("stepsSandbox") : t("stepsLive")}
            copyLabel={t("stepCopy")}
            steps={[
              {
                title: t("stepKeysTitle"),
                text: (
                  <>
                    {may(own.role, "keys.manage") ? t.rich("stepKeysText", { keys }) : t("stepKeysAsk")}{" "}
                    {own.merchantId
                      ? null
                      : may(own.role, "merchants.edit")
                        ? t.rich("stepMerchantText", { code, merchants })
                        : t.rich("stepMerchantAsk", { code })}
                  </>
                ),
                code: ownKeysCommand(env().BASE_URL, own.clientId, own.merchantId),
              },
              { title: t("stepChargeTitle"), text: t.rich("stepChargeText", { code }), code: pixCommand },
              ...(own.mode === "sandbox"
                ? [{ title: t("stepPayTitle"), text: t.rich("stepPayText", { code }), code: payPixCommand }]
                : []),
            ]}
          />
        ) : (
          <Card>
            <EmptyState icon={UserRoundX} title={t("noAccountTitle")}>
              {t("noAccountText")}
            </EmptyState>
          </Card>
        )}
      </div>
    </div>
  );
}

const StepLink = ({ href, children }: { href: string; children: ReactNode }) => (
  <Link href={href} className="text-accent-ink underline underline-offset-2">
    {children}
  </Link>
);
