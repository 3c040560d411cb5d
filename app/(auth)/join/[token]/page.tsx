import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { joinAction } from "@/app/(auth)/join/[token]/actions";
import { passwordWords } from "@/app/(auth)/password-words";
import { roleNamer, roleTexts } from "@/app/(dashboard)/role-texts";
import { PreferenceControls } from "@/app/preference-controls";
import { EntryForm } from "@/components/sign-in/entry-form";
import { EntryFrame } from "@/components/sign-in/entry-frame";
import { LinkButton } from "@/components/ui/link-button";
import { systemDb } from "@/db/client";
import { invitationOf } from "@/lib/sign-in/invitations";
import { realNow } from "@/lib/time";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("access");
  // The address is a secret: it is told to no other page.
  return { title: t("joinPage"), referrer: "strict-origin", robots: { index: false } };
}

export default async function JoinPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const [t, roles, words] = await Promise.all([getTranslations("access"), roleTexts(), passwordWords()]);
  const invitation = await invitationOf(systemDb(), token, realNow());
  if (!invitation) {
    return (
      <EntryFrame preferences={<PreferenceControls />} title={t("closedTitle")} text={t("joinClosedText")}>
        <LinkButton href="/sign-in" size="lg">
          {t("toSignIn")}
        </LinkButton>
      </EntryFrame>
    );
  }
  const { account, mode, invitedBy, email, role, person } = invitation;
  const facts = { account, role: roleNamer(roles)(role), email, person: invitedBy ?? "Trilho" };
  return (
    <EntryFrame
      preferences={<PreferenceControls />}
      title={t("joinTitle", { account })}
      text={
        <>
          <p>{mode === "sandbox" ? t("joinTextSandbox", facts) : t("joinText", facts)}</p>
          {person ? <p className="mt-2">{t("joinKnown", { email })}</p> : null}
        </>
      }
    >
      <EntryForm
        hidden={{ token }}
        onAct={joinAction}
        button={t("joinButton")}
        fields={
          person
            ? []
            : [
                { name: "name", label: t("name"), isRequired: true },
                { name: "password", label: t("newPassword"), hint: words.hint, kind: "secret", isRequired: true },
              ]
        }
      />
    </EntryFrame>
  );
}
