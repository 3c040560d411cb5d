import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { passwordWords } from "@/app/(auth)/password-words";
import { resetAction } from "@/app/(auth)/reset/[token]/actions";
import { PreferenceControls } from "@/app/preference-controls";
import { EntryForm } from "@/components/sign-in/entry-form";
import { EntryFrame } from "@/components/sign-in/entry-frame";
import { LinkButton } from "@/components/ui/link-button";
import { systemDb } from "@/db/client";
import { isResetOpen } from "@/lib/sign-in/password-reset";
import { realNow } from "@/lib/time";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("access");
  // The address is a secret: it is told to no other page.
  return { title: t("resetTitle"), referrer: "strict-origin", robots: { index: false } };
}

export default async function ResetPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const [t, words] = await Promise.all([getTranslations("access"), passwordWords()]);
  if (!(await isResetOpen(systemDb(), token, realNow()))) {
    return (
      <EntryFrame preferences={<PreferenceControls />} title={t("closedTitle")} text={t("resetClosedText")}>
        <LinkButton href="/forgot" size="lg">
          {t("askAgain")}
        </LinkButton>
      </EntryFrame>
    );
  }
  return (
    <EntryFrame preferences={<PreferenceControls />} title={t("resetTitle")} text={t("resetText")}>
      <EntryForm
        hidden={{ token }}
        onAct={resetAction}
        button={t("resetButton")}
        fields={[{ name: "password", label: t("newPassword"), hint: words.hint, kind: "secret", isRequired: true }]}
      />
    </EntryFrame>
  );
}
