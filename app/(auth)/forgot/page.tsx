import type { Metadata } from "next";
import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { forgotAction } from "@/app/(auth)/forgot/actions";
import { PreferenceControls } from "@/app/preference-controls";
import { EntryForm } from "@/components/sign-in/entry-form";
import { EntryFrame } from "@/components/sign-in/entry-frame";
import { LinkButton } from "@/components/ui/link-button";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("access");
  return { title: t("forgotTitle") };
}

interface ForgotPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function ForgotPage({ searchParams }: ForgotPageProps) {
  const t = await getTranslations("access");
  const isSent = (await searchParams).sent === "1";
  return (
    <EntryFrame
      preferences={<PreferenceControls />}
      title={isSent ? t("sentTitle") : t("forgotTitle")}
      text={isSent ? <p role="status">{t("sentText")}</p> : t("forgotText")}
    >
      {isSent ? (
        <LinkButton href="/sign-in" size="lg">
          {t("toSignIn")}
        </LinkButton>
      ) : (
        <>
          <EntryForm
            onAct={forgotAction}
            button={t("forgotButton")}
            fields={[{ name: "email", label: t("email"), kind: "email", isRequired: true }]}
          />
          <p className="mt-6 text-sm">
            <Link href="/sign-in" className="rounded-sm text-accent-ink underline-offset-4 hover:underline">
              {t("toSignIn")}
            </Link>
          </p>
        </>
      )}
    </EntryFrame>
  );
}
