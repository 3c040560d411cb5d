import { Inbox, SearchX } from "lucide-react";
import type { Metadata } from "next";
import { getFormatter, getTranslations } from "next-intl/server";
import { resendMatchingAction } from "@/app/(dashboard)/dashboard/developers/webhooks/actions";
import { ChosenButton } from "@/app/(dashboard)/dashboard/developers/webhooks/deliveries/chosen-button";
import {
  COUNTS,
  chosenIds,
  deliverySearch,
  PERIODS,
  periodOf,
} from "@/app/(dashboard)/dashboard/developers/webhooks/deliveries/filters";
import { WebhookTabs } from "@/app/(dashboard)/dashboard/developers/webhooks/tabs";
import { STATUS_TONES, webhookWords } from "@/app/(dashboard)/dashboard/developers/webhooks/words";
import { ExportButton } from "@/app/(dashboard)/export-button";
import { type GivenParameters, oneOf, withParameters } from "@/app/(dashboard)/list-url";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { ActionDialog } from "@/components/charges/action-dialog";
import { DataList } from "@/components/dashboard/data-list";
import { DoneNote } from "@/components/dashboard/done-note";
import { EventName } from "@/components/dashboard/event-name";
import { FilterForm } from "@/components/dashboard/filter-form";
import { ListKeys } from "@/components/dashboard/list-keys";
import { Moment } from "@/components/dashboard/moment";
import { PageHead } from "@/components/dashboard/page-head";
import { PageLinks } from "@/components/dashboard/page-links";
import { TaskForm } from "@/components/tasks/task-form";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { ATTEMPT_ERRORS, DELIVERY_STATUSES } from "@/db/schema/webhooks";
import { inSnapshot, now } from "@/lib/context";
import { EVENT_NAMES } from "@/lib/event-names";
import { may } from "@/lib/operators/permissions";
import { countMatching } from "@/lib/webhooks/bulk";
import { type AttemptCount, RESULTS, searchDeliveries } from "@/lib/webhooks/explorer";
import { listWebhooks } from "@/lib/webhooks/queries";

const PAGE = "/dashboard/developers/webhooks/deliveries";
const SEARCH_ID = "delivery-search";
const MOST_WEBHOOKS = 100;
const OBJECT_DIGITS = 12;
const CHOSEN_FORM = "chosen-deliveries";

/** Filters that reports of deliveries do not have. */
const NARROWER = ["q", "webhook", "event", "result", "attempts", "period"];

const COUNT_TEXTS = {
  none: "attemptsNone",
  one: "attemptsOne",
  several: "attemptsSeveral",
} as const satisfies Record<AttemptCount, string>;
const PERIOD_TEXTS = {
  hour: "periodHour",
  day: "periodDay",
  week: "periodWeek",
  month: "periodMonth",
} as const satisfies Record<(typeof PERIODS)[number], string>;

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("webhooks");
  return { title: t("tabDeliveries") };
}

export default async function DeliveriesPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const { ctx, role } = await requireRight(withParameters(PAGE, given, {}), "webhooks.see");
  const [t, words, format] = await Promise.all([getTranslations("webhooks"), webhookWords(), getFormatter()]);
  const until = now(ctx);
  const search = deliverySearch(given, until);
  const ids = chosenIds(given);
  const doing = oneOf(given, "do");
  const mayResend = may(role, "webhooks.resend");
  const isAsking = mayResend && (doing === "resend" || doing === "resend-chosen");
  const { page, webhooks, count } = await inSnapshot(ctx, async (inside) => ({
    page: await searchDeliveries(inside, search),
    webhooks: (await listWebhooks(inside, { page: 1, limit: MOST_WEBHOOKS, order: "desc" })).items,
    count: isAsking
      ? await countMatching(inside, { ...search, until, ...(doing === "resend-chosen" ? { ids } : {}) })
      : 0,
  }));
  const filters = { do: undefined, done: undefined, count: undefined, ids: undefined };
  const isFiltered = Object.values(search).some((value) => value !== undefined);
  const isListed = mayResend && page.items.length > 0;
  const query = new URL(withParameters(PAGE, given, { ...filters, after: undefined, before: undefined }), "http://x")
    .search;
  const closeHref = withParameters(PAGE, given, filters);
  return (
    <>
      <PageHead
        title={t("title")}
        aside={t("zone")}
        action={
          <>
            <ExportButton
              role={role}
              type="deliveries"
              filters={{ status: search.status && [...search.status] }}
              isNarrower={NARROWER.some((name) => oneOf(given, name) !== undefined)}
            />
            {isListed ? (
              <>
                <form id={CHOSEN_FORM} action={PAGE}>
                  {[...new URLSearchParams(query)].map(([name, value]) => (
                    <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
                  ))}
                  <input type="hidden" name="do" value="resend-chosen" />
                  <ChosenButton
                    form={CHOSEN_FORM}
                    texts={{ none: t("resendChosen"), some: t("resendChosenCount", { count: "{count}" }) }}
                  />
                </form>
                <LinkButton href={withParameters(PAGE, given, { ...filters, do: "resend" })} scroll={false}>
                  {t("resendAll")}
                </LinkButton>
              </>
            ) : null}
          </>
        }
      />
      <WebhookTabs here="deliveries" />
      {oneOf(given, "done") === "resent" ? (
        <DoneNote text={t("doneReplayed", { count: Number.parseInt(oneOf(given, "count") ?? "0", 10) })} />
      ) : null}
      <FilterForm
        path={PAGE}
        searchId={SEARCH_ID}
        search={oneOf(given, "q") ?? ""}
        kept={[]}
        choices={[
          {
            name: "webhook",
            label: t("endpoint"),
            chosen: search.webhookId ?? "",
            options: [
              { value: "", label: t("everyEndpoint") },
              ...webhooks.map(({ id, endpoint }) => ({ value: id, label: endpoint })),
            ],
          },
          {
            name: "status",
            label: t("status"),
            chosen: search.status?.[0] ?? "",
            options: [
              { value: "", label: t("everyStatus") },
              ...DELIVERY_STATUSES.map((status) => ({ value: status, label: words.status(status) })),
            ],
          },
          {
            name: "event",
            label: t("event"),
            chosen: search.event ?? "",
            options: [
              { value: "", label: t("everyEvent") },
              ...EVENT_NAMES.map((name) => ({ value: name, label: name })),
            ],
          },
        ]}
        more={{
          label: t("moreFilters"),
          isOpen: [search.result, search.attempts, search.since].some((value) => value !== undefined),
          choices: [
            {
              name: "result",
              label: t("answer"),
              chosen: search.result ?? "",
              options: [
                { value: "", label: t("everyAnswer") },
                ...Object.keys(RESULTS).map((name) => ({ value: name, label: name })),
                ...ATTEMPT_ERRORS.map((error) => ({ value: error, label: words.answer(null, error) })),
              ],
            },
            {
              name: "attempts",
              label: t("attempts"),
              chosen: search.attempts ?? "",
              options: [
                { value: "", label: t("everyAttempts") },
                ...COUNTS.map((name) => ({ value: name, label: t(COUNT_TEXTS[name]) })),
              ],
            },
            {
              name: "period",
              label: t("date"),
              chosen: periodOf(given) ?? "",
              options: [
                { value: "", label: t("everyPeriod") },
                ...PERIODS.map((name) => ({ value: name, label: t(PERIOD_TEXTS[name]) })),
              ],
            },
          ],
          texts: [],
        }}
        texts={{ searchLabel: t("searchLabel"), searchPlaceholder: t("searchPlaceholder"), searchAction: t("search") }}
      />
      <Card className="mt-4 overflow-hidden">
        {page.items.length === 0 ? (
          isFiltered ? (
            <EmptyState
              icon={SearchX}
              title={t("noneFoundTitle")}
              action={<LinkButton href={PAGE}>{t("clear")}</LinkButton>}
            >
              {t("noneFoundText")}
            </EmptyState>
          ) : (
            <EmptyState icon={Inbox} title={t("noDeliveriesTitle")}>
              {t("noDeliveriesText")}
            </EmptyState>
          )
        ) : (
          <DataList
            caption={t("tabDeliveries")}
            {...(isListed ? { actions: t("choose") } : {})}
            columns={[
              { key: "event", title: t("event"), isWhole: true },
              { key: "status", title: t("status") },
              { key: "answer", title: t("answer"), isWhole: true },
              { key: "object", title: t("objectId"), isMinor: true },
              { key: "endpoint", title: t("endpoint"), isMinor: true },
              { key: "attempts", title: t("attempts"), isNumeric: true },
              { key: "date", title: t("date"), isNumeric: true },
            ]}
            rows={page.items.map((delivery) => ({
              id: delivery.id,
              href: `${PAGE}/${delivery.id}`,
              cells: [
                <code key="event" className="font-mono text-xs">
                  <EventName name={delivery.event} />
                </code>,
                <Badge key="status" tone={STATUS_TONES[delivery.status]}>
                  {words.status(delivery.status)}
                </Badge>,
                words.answer(delivery.lastStatusCode, delivery.lastError),
                // The beginning is the time, and much the same in neighbours.
                <code key="object" className="font-mono text-xs" title={delivery.entityId}>
                  …{delivery.entityId.slice(-OBJECT_DIGITS)}
                </code>,
                <span key="endpoint" className="block max-w-32 truncate 2xl:max-w-72" title={delivery.endpoint}>
                  {delivery.endpoint.replace(/^https?:\/\//, "")}
                </span>,
                format.number(delivery.attempts),
                <Moment
                  key="date"
                  at={delivery.createdAt}
                  text={format.dateTime(delivery.createdAt, { dateStyle: "medium", timeStyle: "short" })}
                />,
              ],
              actions: (
                <label className="flex items-center gap-2.5 text-ink text-sm max-md:min-h-11">
                  <input
                    type="checkbox"
                    form={CHOSEN_FORM}
                    name="ids"
                    value={delivery.id}
                    defaultChecked={ids.includes(delivery.id)}
                    aria-label={t("chooseOne", { event: delivery.event, object: delivery.entityId })}
                    className="size-6 accent-accent"
                  />
                  <span aria-hidden className="md:hidden">
                    {t("choose")}
                  </span>
                </label>
              ),
            }))}
          />
        )}
        <div className="px-5 py-3 empty:hidden">
          <PageLinks
            label={t("pages")}
            previous={{
              href:
                page.previous && withParameters(PAGE, given, { ...filters, before: page.previous, after: undefined }),
              text: t("previous"),
            }}
            next={{
              href: page.next && withParameters(PAGE, given, { ...filters, after: page.next, before: undefined }),
              text: t("next"),
            }}
          />
        </div>
      </Card>
      <ListKeys searchId={SEARCH_ID} />
      {isAsking ? (
        <ActionDialog
          title={t("resendAllTitle")}
          text={
            count > 0
              ? t("resendCount", { count })
              : t(doing === "resend-chosen" && ids.length === 0 ? "resendNone" : "resendNothing")
          }
          closeHref={closeHref}
        >
          {count === 0 ? (
            <div className="flex justify-end px-5 pb-5">
              <LinkButton href={closeHref} replace scroll={false} className="h-11 sm:h-9">
                {t("back")}
              </LinkButton>
            </div>
          ) : (
            <TaskForm
              hidden={{
                query,
                until: until.toISOString(),
                shown: String(count),
                ids: doing === "resend-chosen" ? ids.join(",") : "",
              }}
              onAct={resendMatchingAction}
              closeHref={closeHref}
              texts={await taskTexts(t("resendAllButton", { count }))}
            />
          )}
        </ActionDialog>
      ) : null}
    </>
  );
}
