import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { confirmAddressAction } from "@/app/(auth)/confirm-address/[token]/actions";
import { PreferenceControls } from "@/app/preference-controls";
import { EntryForm } from "@/components/sign-in/entry-form";
import { EntryFrame } from "@/components/sign-in/entry-frame";
import { askedAddress } from "@/lib/reports/addresses";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("access");
  // The address is a secret: it is told to no other page.
  return { title: t("reportAddressTitle"), referrer: "strict-origin", robots: { index: false } };
}

/** Confirms by a button: whatever follows the links of an e-mail by itself confirms nothing. */
export default async function ConfirmAddressPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const [t, asked] = await Promise.all([getTranslations("access"), askedAddress(token)]);
  const frame = { preferences: <PreferenceControls /> };
  if (!asked)
    return (
      <EntryFrame {...frame} title={t("closedTitle")} text={t("reportAddressClosed")}>
        {null}
      </EntryFrame>
    );
  const { email, accountName: account } = asked;
  if (asked.isConfirmed)
    return (
      <EntryFrame {...frame} title={t("reportAddressDone")} text={t("reportAddressDoneText", { email, account })}>
        {null}
      </EntryFrame>
    );
  return (
    <EntryFrame {...frame} title={t("reportAddressTitle")} text={t("reportAddressText", { email, account })}>
      <EntryForm hidden={{ token }} onAct={confirmAddressAction} button={t("reportAddressButton")} fields={[]} />
    </EntryFrame>
  );
}
