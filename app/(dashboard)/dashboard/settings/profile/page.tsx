import { FlaskConical, Zap } from "lucide-react";
import type { Metadata } from "next";
import { getLocale, getTranslations } from "next-intl/server";
import { requireSignedIn } from "@/app/(auth)/signed-in";
import { changeProfileAction } from "@/app/(dashboard)/dashboard/settings/profile/actions";
import { zoneWords } from "@/app/(dashboard)/dashboard/settings/zone-words";
import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { roleNamer, roleTexts } from "@/app/(dashboard)/role-texts";
import { DataList } from "@/components/dashboard/data-list";
import { DoneNote } from "@/components/dashboard/done-note";
import { PageHead } from "@/components/dashboard/page-head";
import { EntryForm } from "@/components/sign-in/entry-form";
import { Badge } from "@/components/ui/badge";
import { Card, CardBody, CardHeader } from "@/components/ui/card";
import { systemDb } from "@/db/client";
import { TIME_ZONES, timeZoneOf } from "@/lib/i18n/time-zones";
import { profileOf } from "@/lib/sign-in/profile";

const PAGE = "/dashboard/settings/profile";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("profile");
  return { title: t("title") };
}

export default async function ProfilePage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const { operator, account, accounts } = await requireSignedIn(PAGE);
  const [t, locale, roles, profile] = await Promise.all([
    getTranslations("profile"),
    getLocale(),
    roleTexts(),
    profileOf(systemDb(), operator.id),
  ]);
  return (
    <>
      <PageHead title={t("title")} description={t("description", { email: operator.email })} />
      {oneOf(given, "done") === "saved" ? <DoneNote text={t("doneSaved")} /> : null}
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
        <Card>
          <CardHeader title={t("about")} description={t("aboutText")} />
          <CardBody>
            <EntryForm
              isPart
              onAct={changeProfileAction}
              button={t("save")}
              fields={[
                { name: "name", label: t("name"), initial: operator.name, isRequired: true },
                {
                  name: "language",
                  label: t("language"),
                  hint: t("languageHint"),
                  kind: "choice",
                  initial: profile?.locale ?? "",
                  options: [
                    { value: "", label: t("languageOfBrowser") },
                    { value: "pt-BR", label: t("portuguese") },
                    { value: "en", label: t("english") },
                  ],
                },
                {
                  name: "timeZone",
                  label: t("timeZone"),
                  hint: t("timeZoneHint"),
                  kind: "choice",
                  initial: profile?.timeZone ?? "",
                  options: [
                    {
                      value: "",
                      label: t("zoneOfAccount", { zone: zoneWords(timeZoneOf(account?.timeZone), locale) }),
                    },
                    ...TIME_ZONES.map((zone) => ({ value: zone, label: zoneWords(zone, locale) })),
                  ],
                },
              ]}
            />
          </CardBody>
        </Card>
        <Card className="overflow-hidden">
          <CardHeader title={t("accounts")} description={t("accountsText")} />
          <DataList
            caption={t("accounts")}
            columns={[
              { key: "name", title: t("account") },
              { key: "mode", title: t("mode") },
              { key: "role", title: t("role") },
            ]}
            rows={accounts.map(({ id, name, mode, role }) => ({
              id,
              cells: [
                <span key="name" className="font-medium">
                  {name}
                  {id === account?.id ? <span className="ml-1.5 text-ink-3 text-xs">{t("open")}</span> : null}
                </span>,
                mode === "sandbox" ? (
                  <Badge key="mode" tone="sandbox" icon={FlaskConical}>
                    {t("sandbox")}
                  </Badge>
                ) : (
                  <Badge key="mode" tone="live" icon={Zap}>
                    {t("live")}
                  </Badge>
                ),
                roleNamer(roles)(role),
              ],
            }))}
          />
        </Card>
      </div>
    </>
  );
}
