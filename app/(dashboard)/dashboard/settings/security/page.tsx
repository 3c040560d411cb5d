import { Laptop, ShieldAlert, ShieldCheck, Smartphone } from "lucide-react";
import type { Metadata } from "next";
import { getFormatter, getTranslations } from "next-intl/server";
import { requireSignedIn } from "@/app/(auth)/signed-in";
import {
  beginTotpAction,
  endOtherSessionsAction,
  endSessionAction,
} from "@/app/(dashboard)/dashboard/settings/security/actions";
import { AddressesCard, AddressesDialog } from "@/app/(dashboard)/dashboard/settings/security/addresses-card";
import { SecurityDialog } from "@/app/(dashboard)/dashboard/settings/security/dialogs";
import { PasskeyDialog } from "@/app/(dashboard)/dashboard/settings/security/passkey-dialogs";
import { PasskeysCard } from "@/app/(dashboard)/dashboard/settings/security/passkeys-card";
import { RetentionCard } from "@/app/(dashboard)/dashboard/settings/security/retention-card";
import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { memberOf } from "@/app/(dashboard)/operator-context";
import { realTime } from "@/app/(dashboard)/real-time";
import { DataList } from "@/components/dashboard/data-list";
import { DoneNote } from "@/components/dashboard/done-note";
import { PageHead } from "@/components/dashboard/page-head";
import { TaskButton } from "@/components/tasks/task-button";
import { Badge } from "@/components/ui/badge";
import { Card, CardBody, CardHeader } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import { systemDb } from "@/db/client";
import { accountSettings } from "@/lib/accounts/settings";
import { may } from "@/lib/operators/permissions";
import { openSessionsOf } from "@/lib/operators/sessions";
import { deviceOf } from "@/lib/sign-in/device";
import { passkeysOf } from "@/lib/sign-in/passkeys";
import { enrolmentOf, totpOf } from "@/lib/sign-in/totp";
import { realNow } from "@/lib/time";

const PAGE = "/dashboard/settings/security";
const DONE_TEXTS = {
  password: "donePassword",
  "app-removed": "doneRemoved",
  session: "doneSession",
  sessions: "doneSessions",
  passkey: "donePasskey",
  "passkey-named": "donePasskeyNamed",
  "passkey-removed": "donePasskeyRemoved",
  addresses: "doneAddresses",
} as const;
const isDone = (text: string | undefined): text is keyof typeof DONE_TEXTS =>
  text !== undefined && Object.hasOwn(DONE_TEXTS, text);
const PHONE = /\b(?:iPhone|iPad|Android)\b/;

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("security");
  return { title: t("title") };
}

export default async function SecurityPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const { operator, sessionId } = await requireSignedIn(PAGE);
  const [t, format] = await Promise.all([getTranslations("security"), getFormatter()]);
  const now = realNow();
  const [app, enrolment, sessions, keys] = await Promise.all([
    totpOf(systemDb(), operator.id),
    enrolmentOf(systemDb(), operator),
    openSessionsOf(systemDb(), operator.id, now),
    passkeysOf(systemDb(), operator.id),
  ]);
  const done = oneOf(given, "done");
  const member = await memberOf();
  const real = await realTime(member?.ctx.account.clock);
  const addresses =
    member && may(member.role, "team.manage")
      ? {
          account: member.account.name,
          allowed: (await accountSettings(member.ctx)).allowedAddresses,
          own: member.ctx.ip,
        }
      : undefined;
  return (
    <>
      <PageHead title={t("title")} description={t("description")} />
      {isDone(done) ? <DoneNote text={t(DONE_TEXTS[done])} /> : null}
      <div className="grid grid-cols-1 gap-6">
        <div className="grid grid-cols-1 gap-6 lg:grid-cols-2">
          <Card>
            <CardHeader
              title={t("app")}
              description={t("appText")}
              actions={
                app.since ? (
                  <Badge tone="success" icon={ShieldCheck}>
                    {t("on")}
                  </Badge>
                ) : (
                  <Badge tone="warning" icon={ShieldAlert}>
                    {t("off")}
                  </Badge>
                )
              }
            />
            <CardBody className="grid gap-4">
              {app.since ? (
                <>
                  <p className="text-ink text-sm">
                    {t("since", { date: real.text(app.since) })} {t("codesLeft", { count: app.codesLeft })}
                  </p>
                  <div className="flex flex-wrap gap-2">
                    <LinkButton href={`${PAGE}?do=new-codes`} scroll={false} size="sm">
                      {t("renew")}
                    </LinkButton>
                    <LinkButton href={`${PAGE}?do=remove-app`} scroll={false} size="sm" tone="quiet">
                      {t("remove")}
                    </LinkButton>
                  </div>
                </>
              ) : (
                <>
                  <p className="text-ink text-sm">
                    {keys.length > 0 ? t("appBeside", { count: app.codesLeft }) : t("none")}
                  </p>
                  <div className="flex flex-wrap gap-2">
                    {keys.length > 0 ? (
                      <LinkButton href={`${PAGE}?do=new-codes`} scroll={false} size="sm">
                        {t("renew")}
                      </LinkButton>
                    ) : null}
                    {keys.length > 0 ? (
                      <LinkButton href={`${PAGE}?do=begin-app`} scroll={false} tone="primary" size="sm">
                        {t("add")}
                      </LinkButton>
                    ) : (
                      <TaskButton text={t("add")} hidden={{}} onAct={beginTotpAction} tone="primary" size="sm" />
                    )}
                  </div>
                </>
              )}
            </CardBody>
          </Card>
          <PasskeysCard keys={keys} real={real} />
          <Card>
            <CardHeader title={t("password")} description={t("passwordAbout")} />
            <CardBody>
              <LinkButton href={`${PAGE}?do=password`} scroll={false} size="sm">
                {t("changePassword")}
              </LinkButton>
            </CardBody>
          </Card>
          {addresses ? <AddressesCard {...addresses} /> : null}
        </div>
        <Card className="overflow-hidden">
          <CardHeader
            title={t("sessions")}
            description={t("sessionsText")}
            actions={
              sessions.length > 1 ? (
                <TaskButton text={t("endOthers")} hidden={{}} onAct={endOtherSessionsAction} size="sm" />
              ) : null
            }
          />
          <DataList
            caption={t("sessions")}
            actions={t("actions")}
            columns={[
              { key: "device", title: t("device") },
              { key: "place", title: t("place") },
              { key: "begun", title: t("begun"), isMinor: true },
              { key: "seen", title: t("lastSeen") },
            ]}
            rows={sessions.map((session) => {
              const Icon = PHONE.test(session.userAgent ?? "") ? Smartphone : Laptop;
              const isThis = session.id === sessionId;
              return {
                id: session.id,
                cells: [
                  <span key="device" className="flex items-center gap-2.5">
                    <Icon aria-hidden className="size-4 shrink-0 text-ink-3" />
                    <span className="font-medium">{deviceOf(session.userAgent) ?? t("unknownDevice")}</span>
                    {isThis ? <Badge tone="info">{t("thisSession")}</Badge> : null}
                  </span>,
                  <span key="place" className="font-mono text-xs">
                    {session.address ?? t("unknownPlace")}
                  </span>,
                  real.moment(session.createdAt),
                  isThis ? t("now") : format.relativeTime(session.lastSeenAt, now),
                ],
                actions: isThis ? null : (
                  <TaskButton
                    text={t("end")}
                    hidden={{ id: session.id }}
                    onAct={endSessionAction}
                    size="sm"
                    tone="quiet"
                  />
                ),
              };
            })}
          />
        </Card>
        {member ? <RetentionCard /> : null}
      </div>
      {addresses && oneOf(given, "do") === "addresses" ? <AddressesDialog {...addresses} /> : null}
      <PasskeyDialog doing={oneOf(given, "do")} passkey={keys.find(({ id }) => id === oneOf(given, "id"))} />
      <SecurityDialog
        doing={oneOf(given, "do")}
        enrolment={enrolment}
        hasApp={app.since !== null}
        hasFactor={app.since !== null || keys.length > 0}
      />
    </>
  );
}
