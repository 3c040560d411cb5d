import type { Metadata } from "next";
import { getFormatter, getTranslations } from "next-intl/server";
import { cache } from "react";
import { NotificationAddresses } from "@/app/(dashboard)/dashboard/merchants/[id]/addresses";
import { Capabilities } from "@/app/(dashboard)/dashboard/merchants/[id]/capabilities";
import { MerchantDialog } from "@/app/(dashboard)/dashboard/merchants/[id]/dialogs";
import { PayoutsDialog } from "@/app/(dashboard)/dashboard/merchants/[id]/payouts";
import {
  endRotationAction,
  orderProvidersAction,
  testProviderAction,
} from "@/app/(dashboard)/dashboard/merchants/actions";
import { RAIL_TEXTS } from "@/app/(dashboard)/dashboard/merchants/payout-fields";
import { testResult } from "@/app/(dashboard)/dashboard/merchants/test-result";
import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { orNotFound, requireRight } from "@/app/(dashboard)/operator-context";
import { realTime } from "@/app/(dashboard)/real-time";
import { tabTitle } from "@/app/(dashboard)/tab-title";
import { BackLink } from "@/components/dashboard/back-link";
import { DoneNote } from "@/components/dashboard/done-note";
import { Facts } from "@/components/dashboard/facts";
import { PageHead } from "@/components/dashboard/page-head";
import { kindName } from "@/components/merchants/provider-names";
import { ProviderOrder } from "@/components/merchants/provider-order";
import { TaskButton } from "@/components/tasks/task-button";
import { Badge } from "@/components/ui/badge";
import { Card, CardHeader } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import { SUBSCRIPTION_MAILS } from "@/db/schema/merchants";
import { inSnapshot, onAccountClock } from "@/lib/context";
import { notFound } from "@/lib/errors";
import { isUuid } from "@/lib/ids";
import { openRotations } from "@/lib/merchants/rotations";
import { getMerchant } from "@/lib/merchants/service";
import { connectionStanding, type Standing } from "@/lib/merchants/standing";
import { may } from "@/lib/operators/permissions";
import { isSimulatedKind } from "@/lib/providers/kinds";

const LIST = "/dashboard/merchants";
const DONE_TEXTS = {
  created: "doneCreated",
  saved: "doneSaved",
  provider: "doneProvider",
  unproven: "doneUnproven",
  unreached: "doneUnreached",
  removed: "doneRemoved",
  order: "doneOrder",
  tested: "doneTested",
  untested: "doneUntested",
  waiting: "doneWaiting",
  rotated: "doneRotated",
  refused: "doneRefused",
} as const;

const TEST_TEXTS = {
  nothing: "testedNothing",
  plain: "wellPlain",
  well: "testedWell",
  unreached: "badlyUnreached",
  badly: "testedBadly",
} as const;

const STANDING_TEXTS = {
  inUse: "reachable",
  untested: "standingUntested",
  failed: "standingFailed",
  unavailable: "unreachable",
} as const satisfies Record<Standing, string>;

interface MerchantPageProps {
  params: Promise<{ id: string }>;
  searchParams: Promise<GivenParameters>;
}

const read = cache(async (id: string) => {
  const member = await requireRight(`${LIST}/${id}`, "merchants.see");
  return {
    ...member,
    view: await orNotFound(isUuid(id) ? getMerchant(member.ctx, id) : Promise.reject(notFound("merchant"))),
  };
});

export async function generateMetadata({ params }: MerchantPageProps): Promise<Metadata> {
  const [{ view }, t] = await Promise.all([read((await params).id), getTranslations("merchants")]);
  return tabTitle(view.merchant.name ?? view.merchant.id, t("title"));
}

export default async function MerchantPage({ params, searchParams }: MerchantPageProps) {
  const [{ id }, given] = await Promise.all([params, searchParams]);
  const path = `${LIST}/${id}`;
  const { ctx, role, account, view } = await read(id);
  const { merchant, providers } = view;
  const [t, format, real] = await Promise.all([
    getTranslations("merchants"),
    getFormatter(),
    realTime(ctx.account.clock),
  ]);
  const mayEdit = may(role, "merchants.edit");
  const rotations = mayEdit ? await inSnapshot(ctx, openRotations) : [];
  const waiting = rotations.filter(({ providerId }) => providers.some(({ id: known }) => known === providerId));
  const done = oneOf(given, "done");
  const open = (doing: string, more: Record<string, string> = {}) =>
    `${path}?${new URLSearchParams({ do: doing, ...more })}`;
  return (
    <>
      <BackLink href={LIST} text={t("title")} />
      <PageHead
        title={merchant.name ?? merchant.id}
        action={
          mayEdit ? (
            <>
              <LinkButton href={open("edit")} scroll={false}>
                {t("edit")}
              </LinkButton>
              <LinkButton href={open("delete")} scroll={false} tone="quiet">
                {t("delete")}
              </LinkButton>
            </>
          ) : null
        }
      />
      {done && Object.hasOwn(DONE_TEXTS, done) ? (
        // Guarantee: looked up only where the key exists.
        <DoneNote
          // What was connected last is tried last.
          text={t(DONE_TEXTS[done as keyof typeof DONE_TEXTS], { name: providers.at(-1)?.name ?? "" })}
          isUnsure={done === "unproven" || done === "unreached"}
        />
      ) : null}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_21rem]">
        <div className="grid min-w-0 grid-cols-1 gap-6">
          <Card className="overflow-hidden">
            <CardHeader
              title={t("providers")}
              description={t("providersText")}
              actions={
                mayEdit ? (
                  <LinkButton href={open("add")} scroll={false} size="sm" tone="primary">
                    {t("connect")}
                  </LinkButton>
                ) : null
              }
            />
            {providers.length === 0 ? <p className="px-5 py-8 text-ink-2 text-sm">{t("providersNone")}</p> : null}
            {waiting.map((rotation) => (
              <div
                key={rotation.id}
                className="flex flex-wrap items-center gap-3 border-line border-b bg-warning-soft px-5 py-3 text-sm text-warning"
              >
                <p className="min-w-0 flex-1">
                  {t("rotationWaits", {
                    name: providers.find(({ id: provider }) => provider === rotation.providerId)?.name ?? "",
                    members: format.list(rotation.members),
                    when: format.dateTime(onAccountClock(ctx, rotation.expiresAt), {
                      dateStyle: "medium",
                      timeStyle: "short",
                    }),
                  })}
                </p>
                <TaskButton
                  text={t("rotationConfirm")}
                  hidden={{ id: merchant.id, rotation: rotation.id, how: "confirm" }}
                  onAct={endRotationAction}
                  size="sm"
                />
                <TaskButton
                  text={t("rotationRefuse")}
                  hidden={{ id: merchant.id, rotation: rotation.id, how: "refuse" }}
                  onAct={endRotationAction}
                  size="sm"
                />
              </div>
            ))}
            <ProviderOrder
              key={providers.map((provider) => provider.id).join()}
              merchantId={merchant.id}
              onOrder={mayEdit && providers.length > 1 ? orderProvidersAction : undefined}
              texts={{
                save: t("saveOrder"),
                list: t("providers"),
                moved: t("moved", { name: "{name}", place: "{place}", count: "{count}" }),
              }}
              providers={providers.map((provider) => ({
                id: provider.id,
                name: provider.name,
                detail: t("providerDetail", {
                  kind: kindName(provider.kind),
                  date: format.dateTime(provider.updatedAt, { dateStyle: "medium" }),
                }),
                up: t("moveUp", { name: provider.name }),
                down: t("moveDown", { name: provider.name }),
                badge: (
                  <span className="flex flex-wrap items-center gap-1.5">
                    <Badge tone={connectionStanding(provider) === "inUse" ? "success" : "warning"}>
                      {t(STANDING_TEXTS[connectionStanding(provider)])}
                    </Badge>
                    {provider.testedAt ? (
                      <Badge tone={testResult(provider.testPassed, provider.testWords ?? "").tone}>
                        {t(TEST_TEXTS[testResult(provider.testPassed, provider.testWords ?? "").said], {
                          when: real.text(provider.testedAt),
                          words: provider.testWords ?? "",
                        })}
                      </Badge>
                    ) : null}
                  </span>
                ),
                actions: mayEdit ? (
                  <>
                    {provider.routable ? (
                      <TaskButton
                        text={t("test")}
                        hidden={{ id: merchant.id, provider: provider.id }}
                        onAct={testProviderAction}
                        size="sm"
                      />
                    ) : null}
                    <LinkButton href={open("credentials", { provider: provider.id })} scroll={false} size="sm">
                      {t("credentials")}
                    </LinkButton>
                    <LinkButton href={open("remove", { provider: provider.id })} scroll={false} size="sm" tone="quiet">
                      {t("remove")}
                    </LinkButton>
                  </>
                ) : null,
              }))}
            />
          </Card>
          <NotificationAddresses
            providers={providers.filter(({ kind, routable }) => routable && !isSimulatedKind(kind))}
          />
          {providers.length > 0 ? <Capabilities kinds={[...new Set(providers.map(({ kind }) => kind))]} /> : null}
        </div>
        <Card>
          <CardHeader
            title={t("about")}
            actions={
              mayEdit ? (
                <>
                  <LinkButton href={open("payouts")} scroll={false} size="sm">
                    {t("payoutButton")}
                  </LinkButton>
                  <LinkButton href={open("mails")} scroll={false} size="sm">
                    {t("mailsButton")}
                  </LinkButton>
                </>
              ) : null
            }
          />
          <Facts
            facts={[
              { name: t("status"), value: merchant.status ? t("active") : t("inactive") },
              { name: t("mcc"), value: merchant.mcc },
              { name: t("merchantName"), value: merchant.merchantName ?? t("none") },
              { name: t("merchantUrl"), value: merchant.merchantUrl ?? t("none") },
              { name: t("payoutRail"), value: t(RAIL_TEXTS[merchant.payoutRail]) },
              ...(merchant.payoutAccount
                ? [
                    {
                      name: t("payoutAccount"),
                      value: `${merchant.payoutAccount.bank} · ${merchant.payoutAccount.accountNumber.slice(-4)}`,
                    },
                  ]
                : []),
              {
                name: t("mails"),
                value: t("mailsOn", {
                  count: SUBSCRIPTION_MAILS.length - merchant.subscriptionMailsOff.length,
                  all: SUBSCRIPTION_MAILS.length,
                }),
              },
              { name: t("buyerCancels"), value: merchant.buyerMayCancel ? t("yes") : t("no") },
              { name: t("id"), value: <span className="break-all font-mono text-xs">{merchant.id}</span> },
              { name: t("createdAt"), value: format.dateTime(merchant.createdAt, { dateStyle: "medium" }) },
            ]}
          />
        </Card>
      </div>
      {mayEdit && oneOf(given, "do") === "payouts" ? (
        <PayoutsDialog merchant={merchant} isSandbox={account.mode === "sandbox"} path={path} />
      ) : null}
      {mayEdit ? (
        <MerchantDialog
          doing={oneOf(given, "do")}
          kind={oneOf(given, "kind")}
          provider={providers.find((provider) => provider.id === oneOf(given, "provider"))}
          view={view}
          isSandbox={account.mode === "sandbox"}
          path={path}
        />
      ) : null}
    </>
  );
}
