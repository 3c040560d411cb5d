import { KeyRound, ShieldAlert, ShieldCheck, UserPlus, Users } from "lucide-react";
import type { Metadata } from "next";
import { headers } from "next/headers";
import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import { resendInvitationAction } from "@/app/(dashboard)/dashboard/settings/team/actions";
import { TeamDialog } from "@/app/(dashboard)/dashboard/settings/team/dialogs";
import { LimitsDialog, LimitsProposed } from "@/app/(dashboard)/dashboard/settings/team/limits";
import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { realTime } from "@/app/(dashboard)/real-time";
import { roleNamer, roleTexts } from "@/app/(dashboard)/role-texts";
import { DataList } from "@/components/dashboard/data-list";
import { DoneNote } from "@/components/dashboard/done-note";
import { PageHead } from "@/components/dashboard/page-head";
import { TaskButton } from "@/components/tasks/task-button";
import { Badge } from "@/components/ui/badge";
import { Card, CardHeader } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { formatCents } from "@/components/ui/money-format";
import { merchantsToChoose } from "@/lib/charges/to-choose";
import { isAskedLocally, isMailboxShown } from "@/lib/mail/mailbox";
import { aloneLimitsOf } from "@/lib/operators/alone-limits";
import { listRoles } from "@/lib/operators/custom-roles";
import { secondPersonAbove } from "@/lib/operators/second-person";
import { listMembers, type Member } from "@/lib/operators/team";
import { listInvitations } from "@/lib/sign-in/invitations";
import { realNow } from "@/lib/time";

const PAGE = "/dashboard/settings/team";
const SHORT_ID = 8;
/** Where no e-mail leaves this machine, it is read here. */
async function mailboxLink(): Promise<{ href: string; text: string } | undefined> {
  if (!isMailboxShown() || !isAskedLocally((await headers()).get("host"))) return undefined;
  return { href: "/dev/mail", text: (await getTranslations("team"))("invitedMailbox") };
}

const DONE_TEXTS = {
  invited: "doneInvited",
  revoked: "doneRevoked",
  changed: "doneChanged",
  removed: "doneRemoved",
  limits: "doneLimits",
  limitsProposed: "doneLimitsProposed",
  limitsEnded: "doneLimitsEnded",
} as const;
const isDone = (text: string | undefined): text is keyof typeof DONE_TEXTS =>
  text !== undefined && Object.hasOwn(DONE_TEXTS, text);

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("team");
  return { title: t("title") };
}

export default async function TeamPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const { ctx, role } = await requireRight(PAGE, "team.manage");
  const [t, format, locale, roles] = await Promise.all([
    getTranslations("team"),
    getFormatter(),
    getLocale(),
    roleTexts(),
  ]);
  const [members, invitations, ownRoles, merchants, above, refundsAbove, alone] = await Promise.all([
    listMembers(ctx),
    listInvitations(ctx),
    listRoles(ctx),
    merchantsToChoose(ctx, role),
    secondPersonAbove(ctx, "reviews.resolve", "reviews"),
    secondPersonAbove(ctx, "payments.refund", "refunds"),
    aloneLimitsOf(ctx),
  ]);
  const [nameOf, real] = [roleNamer(roles), await realTime(ctx.account.clock)];
  const money = (cents: number) => formatCents(cents, "BRL", locale);
  const merchantsOf = ({ merchants: seen }: Pick<Member, "merchants">) =>
    seen === null ? t("merchantsAll") : t("merchantsCount", { count: seen.length });
  const merchantsNamed = (of: Pick<Member, "merchants">) =>
    of.merchants === null
      ? merchantsOf(of)
      : format.list(of.merchants.map((id) => merchants.find((each) => each.id === id)?.name ?? id.slice(0, SHORT_ID)));
  const refundsOf = ({ refunds }: Pick<Member, "refunds">) =>
    refunds ? t("refundsUpTo", { each: money(refunds.each), daily: money(refunds.daily) }) : t("refundsFree");
  const now = realNow();
  const id = oneOf(given, "id");
  const done = oneOf(given, "done");
  const self = ctx.principal.kind === "operator" ? ctx.principal.operatorId : undefined;
  const inviteLink = (
    <LinkButton href={`${PAGE}?do=invite`} scroll={false} tone="primary">
      <UserPlus aria-hidden />
      {t("invite")}
    </LinkButton>
  );
  return (
    <>
      <PageHead
        title={t("title")}
        description={t("description")}
        action={
          <>
            <LinkButton href={`${PAGE}/roles`}>{t("toRoles")}</LinkButton>
            {inviteLink}
          </>
        }
      />
      {isDone(done) ? (
        <DoneNote text={t(DONE_TEXTS[done])} link={done === "invited" ? await mailboxLink() : undefined} />
      ) : null}
      <div className="grid grid-cols-1 gap-6">
        <Card className="overflow-hidden">
          <CardHeader title={t("members")} description={t("membersText", { count: members.length })} />
          <DataList
            caption={t("members")}
            actions={t("actions")}
            columns={[
              { key: "name", title: t("person") },
              { key: "role", title: t("role") },
              { key: "merchants", title: t("merchantsSeen"), isMinor: true, isWhole: true },
              { key: "factor", title: t("factor") },
              { key: "refunds", title: t("refunds"), isMinor: true, isWhole: true },
              { key: "seen", title: t("lastSeen") },
            ]}
            rows={members.map((member) => ({
              id: member.id,
              cells: [
                <span key="name" className="grid">
                  <span className="font-medium text-ink">
                    {member.name}
                    {member.id === self ? <span className="ml-1.5 text-ink-3 text-xs">{t("you")}</span> : null}
                  </span>
                  <span className="truncate text-ink-2 text-xs">{member.email}</span>
                </span>,
                nameOf(member.role),
                merchantsOf(member),
                member.factor ? (
                  <Badge key="factor" tone="success" icon={ShieldCheck}>
                    {member.factor === "app" ? t("factorApp") : t("factorPasskey")}
                  </Badge>
                ) : (
                  <Badge key="factor" tone="warning" icon={ShieldAlert}>
                    {t("factorNone")}
                  </Badge>
                ),
                refundsOf(member),
                member.lastSeenAt ? format.relativeTime(member.lastSeenAt, now) : t("never"),
              ],
              actions: (
                <>
                  <LinkButton href={`${PAGE}?do=change&id=${member.id}`} scroll={false} size="sm" tone="quiet">
                    {t("change")}
                    <span className="sr-only">{member.name}</span>
                  </LinkButton>
                  <LinkButton href={`${PAGE}?do=remove&id=${member.id}`} scroll={false} size="sm" tone="quiet">
                    {t("remove")}
                    <span className="sr-only">{member.name}</span>
                  </LinkButton>
                </>
              ),
            }))}
          />
          {members.length === 1 && invitations.length === 0 ? (
            <div className="border-line border-t">
              <EmptyState icon={UserPlus} title={t("aloneTitle")} action={inviteLink}>
                {t("aloneText", { amount: money(alone.limits.reviews) })}
              </EmptyState>
            </div>
          ) : null}
        </Card>
        {invitations.length > 0 ? (
          <Card className="overflow-hidden">
            <CardHeader title={t("invitations")} description={t("invitationsText")} />
            <DataList
              caption={t("invitations")}
              actions={t("actions")}
              columns={[
                { key: "email", title: t("email") },
                { key: "role", title: t("role") },
                { key: "merchants", title: t("merchantsSeen"), isWhole: true },
                { key: "refunds", title: t("refunds"), isWhole: true },
                { key: "until", title: t("until") },
              ]}
              rows={invitations.map((invitation) => ({
                id: invitation.id,
                cells: [
                  <span key="email" className="font-medium">
                    {invitation.email}
                  </span>,
                  nameOf(invitation.role),
                  merchantsNamed(invitation),
                  refundsOf(invitation),
                  invitation.expiresAt > now ? (
                    real.moment(invitation.expiresAt)
                  ) : (
                    <Badge key="until" tone="warning">
                      {t("expired")}
                    </Badge>
                  ),
                ],
                actions: (
                  <>
                    <TaskButton
                      text={t("resend")}
                      hidden={{ id: invitation.id }}
                      onAct={resendInvitationAction}
                      size="sm"
                      tone="quiet"
                    />
                    <LinkButton href={`${PAGE}?do=revoke&id=${invitation.id}`} scroll={false} size="sm" tone="quiet">
                      {t("revoke")}
                      <span className="sr-only">{invitation.email}</span>
                    </LinkButton>
                  </>
                ),
              }))}
            />
          </Card>
        ) : null}
        <Card>
          <CardHeader
            title={t("twoPeople")}
            description={t("twoPeopleText")}
            actions={
              <LinkButton href={`${PAGE}?do=limits`} scroll={false} size="sm">
                {t("limitsChange")}
              </LinkButton>
            }
          />
          {alone.proposal ? <LimitsProposed proposal={alone.proposal} /> : null}
          <ul className="grid gap-3 px-5 py-4 text-sm">
            <li className="flex items-start gap-3">
              <Users aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-3" />
              <span className="text-ink">
                {above === null
                  ? t("reviewsOff", { amount: money(alone.limits.reviews) })
                  : t("reviewsOn", { amount: money(above) })}
              </span>
            </li>
            <li className="flex items-start gap-3">
              <Users aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-3" />
              <span className="text-ink">
                {refundsAbove === null
                  ? t("refundsOff", { amount: money(alone.limits.refunds) })
                  : t("refundsOn", { amount: money(refundsAbove) })}
              </span>
            </li>
            <li className="flex items-start gap-3">
              <KeyRound aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-3" />
              <span className="text-ink">{ctx.account.mode === "live" ? t("factorLive") : t("factorSandbox")}</span>
            </li>
          </ul>
        </Card>
      </div>
      <TeamDialog
        doing={oneOf(given, "do")}
        ownRoles={ownRoles}
        merchants={merchants}
        member={members.find((member) => member.id === id)}
        invitation={invitations.find((invitation) => invitation.id === id)}
      />
      <LimitsDialog doing={oneOf(given, "do")} limits={alone.limits} needsTwo={alone.needsTwo} />
    </>
  );
}
