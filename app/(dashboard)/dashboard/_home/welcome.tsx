import { UserRoundX } from "lucide-react";
import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { FirstSteps } from "@/components/dashboard/first-steps";
import { keysCommand, payPixCommand, pixCommand } from "@/components/onboarding/commands";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";

interface WelcomeProps {
  name: string;
  /** Absent for a person who belongs to no account. */
  mode: "sandbox" | "live" | undefined;
}

/** What the home page teaches while there is nothing to show. */
export async function Welcome({ name, mode }: WelcomeProps) {
  const t = await getTranslations("dashboard");
  const code = (text: ReactNode) => (
    <code className="rounded-sm bg-sunken px-1 py-0.5 font-mono text-[0.92em]">{text}</code>
  );
  return (
    <div className="mx-auto max-w-4xl">
      <h1 className="font-semibold text-2xl text-ink">{t("welcome", { name })}</h1>
      <p className="mt-1.5 text-ink-2">{t("homeDescription")}</p>
      <div className="mt-8">
        {mode ? (
          <FirstSteps
            title={t("stepsTitle")}
            description={mode === "sandbox" ? t("stepsSandbox") : t("stepsLive")}
            copyLabel={t("stepCopy")}
            steps={[
              { title: t("stepKeysTitle"), text: t.rich("stepKeysText", { code }), code: keysCommand },
              { title: t("stepChargeTitle"), text: t.rich("stepChargeText", { code }), code: pixCommand },
              ...(mode === "sandbox"
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
