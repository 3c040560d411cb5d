import { Archive, FlaskConical, Zap } from "lucide-react";
import type { Metadata } from "next";
import { getLocale, getTranslations } from "next-intl/server";
import { changeAccountAction } from "@/app/(dashboard)/dashboard/settings/account/actions";
import { AccountDialog } from "@/app/(dashboard)/dashboard/settings/account/dialogs";
import { zoneWords } from "@/app/(dashboard)/dashboard/settings/zone-words";
import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { realTime } from "@/app/(dashboard)/real-time";
import { DoneNote } from "@/components/dashboard/done-note";
import { Facts } from "@/components/dashboard/facts";
import { PageHead } from "@/components/dashboard/page-head";
import { EntryForm } from "@/components/sign-in/entry-form";
import { Badge } from "@/components/ui/badge";
import { Card, CardBody, CardHeader } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import { LinkButton } from "@/components/ui/link-button";
import { systemDb } from "@/db/client";
import { closedBy, closurePlan, REOPEN_DAYS, reopensUntil } from "@/lib/accounts/closure";
import { accountSettings } from "@/lib/accounts/settings";
import { env } from "@/lib/env";
import { DEFAULT_TIME_ZONE, TIME_ZONES } from "@/lib/i18n/time-zones";
import { hasSecondFactor } from "@/lib/sign-in/passkeys";
import { realNow } from "@/lib/time";

const PAGE = "/dashboard/settings/account";
const DONE_TEXTS = {
  saved: "doneSaved",
  closed: "doneClosed",
  proposed: "doneProposed",
  reopened: "doneReopened",
} as const;
const isDone = (text: string | undefined): text is keyof typeof DONE_TEXTS =>
  text !== undefined && Object.hasOwn(DONE_TEXTS, text);

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("account");
  return { title: t("title") };
}

export default async function AccountPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const { ctx, account } = await requireRight(PAGE, "team.manage");
  const [t, locale, settings, { text: date }] = await Promise.all([
    getTranslations("account"),
    getLocale(),
    accountSettings(ctx),
    realTime(ctx.account.clock),
  ]);
  const { name, closedAt, timeZone } = settings;
  const done = oneOf(given, "done");
  const doing = oneOf(given, "do");
  const plan = closedAt ? undefined : await closurePlan(ctx);
  const hasFactor = ctx.principal.kind === "operator" && (await hasSecondFactor(systemDb(), ctx.principal.operatorId));
  const canReopen = closedAt !== null && realNow() <= reopensUntil(closedAt);
  const closer = closedAt ? await closedBy(ctx) : null;
  return (
    <>
      <PageHead title={t("title")} description={t("description")} />
      {isDone(done) ? <DoneNote text={t(DONE_TEXTS[done])} /> : null}
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
        <Card>
          <CardHeader
            title={t("about")}
            actions={
              closedAt ? (
                <Badge tone="warning" icon={Archive}>
                  {t("closed")}
                </Badge>
              ) : account.mode === "sandbox" ? (
                <Badge tone="sandbox" icon={FlaskConical}>
                  {t("sandbox")}
                </Badge>
              ) : (
                <Badge tone="live" icon={Zap}>
                  {t("live")}
                </Badge>
              )
            }
          />
          <Facts
            facts={[
              {
                name: t("id"),
                value: (
                  <span className="flex items-center gap-1">
                    <code className="min-w-0 break-all font-mono text-xs">{account.id}</code>
                    <CopyButton text={account.id} label={t("copyId")} />
                  </span>
                ),
              },
              { name: t("since"), value: date(settings.createdAt) },
            ]}
          />
          <CardBody className="border-line border-t">
            <EntryForm
              isPart
              onAct={changeAccountAction}
              button={t("save")}
              fields={[
                { name: "name", label: t("name"), hint: t("nameHint"), initial: name, isRequired: true },
                {
                  name: "timeZone",
                  label: t("timeZone"),
                  hint: t("timeZoneHint"),
                  kind: "choice",
                  initial: timeZone ?? DEFAULT_TIME_ZONE,
                  options: TIME_ZONES.map((zone) => ({ value: zone, label: zoneWords(zone, locale) })),
                },
              ]}
            />
          </CardBody>
        </Card>
        <div className="grid gap-6">
          <EgressCard />
          <Card>
            <CardHeader title={t("export")} description={t("exportText")} />
            <CardBody>
              <LinkButton href={`${PAGE}?do=export`} scroll={false} size="sm">
                {t("exportOpen")}
              </LinkButton>
            </CardBody>
          </Card>
          <Card>
            <CardHeader
              title={t("closure")}
              description={closedAt ? t("closedText") : t("closureText", { days: REOPEN_DAYS })}
            />
            <CardBody className="grid justify-items-start gap-4">
              {closedAt ? (
                <p className="text-ink text-sm">
                  {closer
                    ? t("closedAtBy", { date: date(closedAt), name: closer })
                    : t("closedAt", { date: date(closedAt) })}{" "}
                  {canReopen
                    ? t("reopensUntil", { date: date(reopensUntil(closedAt)) })
                    : t("reopenTooLate", { days: REOPEN_DAYS })}
                </p>
              ) : null}
              {plan?.proposedBy ? (
                <p className="text-ink text-sm">{t("closeProposedBy", { name: plan.proposedBy.name })}</p>
              ) : null}
              {canReopen ? (
                <LinkButton href={`${PAGE}?do=reopen`} scroll={false} size="sm" tone="primary">
                  {t("reopen")}
                </LinkButton>
              ) : closedAt ? null : (
                <LinkButton href={`${PAGE}?do=close`} scroll={false} size="sm" className="text-danger">
                  {t("close")}
                </LinkButton>
              )}
            </CardBody>
          </Card>
        </div>
      </div>
      <AccountDialog
        doing={doing}
        name={name}
        pass={oneOf(given, "pass")}
        plan={plan}
        isClosed={closedAt !== null}
        hasFactor={hasFactor}
      />
    </>
  );
}

/** For the firewalls in front of those who are told. */
async function EgressCard() {
  const t = await getTranslations("account");
  const addresses = env().WEBHOOK_EGRESS_ADDRESSES ?? [];
  const code = (text: React.ReactNode) => <code className="font-mono text-[0.92em] text-ink">{text}</code>;
  return (
    <Card>
      <CardHeader title={t("egress")} description={t("egressText")} />
      <CardBody>
        {addresses.length === 0 ? (
          <p className="text-ink text-sm">{t.rich("egressNone", { code })}</p>
        ) : (
          <div className="flex items-start gap-2">
            <ul className="grid min-w-0 flex-1 gap-1">
              {addresses.map((address) => (
                <li key={address}>
                  <code className="break-all font-mono text-ink text-sm">{address}</code>
                </li>
              ))}
            </ul>
            <CopyButton text={addresses.join("\n")} label={t("egressCopy")} />
          </div>
        )}
      </CardBody>
    </Card>
  );
}
