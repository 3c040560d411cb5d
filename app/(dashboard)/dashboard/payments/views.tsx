import { Bookmark, Columns3, Users } from "lucide-react";
import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { deleteViewAction, saveViewAction } from "@/app/(dashboard)/dashboard/payments/view-actions";
import { type GivenParameters, severalOf, withParameters } from "@/app/(dashboard)/list-url";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { ActionDialog } from "@/components/charges/action-dialog";
import { COLUMNS, type ColumnName, chosenColumns, type Several } from "@/components/charges/columns";
import { TaskButton } from "@/components/tasks/task-button";
import { TaskForm } from "@/components/tasks/task-form";
import { Button } from "@/components/ui/button";
import { LinkButton } from "@/components/ui/link-button";
import type { Context } from "@/lib/context";
import { viewsOf } from "@/lib/operators/saved-views";

const DIALOGS = ["save-view", "columns", "views"] as const;
type ViewDialogName = (typeof DIALOGS)[number];

export const isViewDialog = (asked: unknown): asked is ViewDialogName => DIALOGS.some((name) => name === asked);

/** Without the place in the list: what is saved is the list, not the page of it. */
const queryOf = (given: GivenParameters): string =>
  withParameters("", given, { after: undefined, before: undefined }).slice(1);

/** What a saved address says. */
function givenBy(query: string): GivenParameters {
  const parameters = new URLSearchParams(query);
  return Object.fromEntries([...new Set(parameters.keys())].map((name) => [name, parameters.getAll(name)]));
}

interface ViewsProps {
  ctx: Context;
  path: string;
  given: GivenParameters;
}

/** The saved views of the list, one press away; each is an address. */
export async function ViewsBar({ ctx, path, given }: ViewsProps) {
  const [t, views] = await Promise.all([getTranslations("payments"), viewsOf(ctx, "payments")]);
  const query = queryOf(given);
  if (views.length === 0 && query === "") return null;
  const chip = "inline-flex h-8 items-center gap-1.5 rounded-full border px-3 text-sm max-sm:h-11";
  return (
    <nav aria-label={t("views")} data-views className="mt-3 flex flex-wrap items-center gap-2">
      {views.map(({ id, name, query: saved, isShared }) => (
        <Link
          key={id}
          href={saved ? `${path}?${saved}` : path}
          aria-current={saved === query ? "page" : undefined}
          className={`${chip} ${saved === query ? "border-accent bg-accent-soft font-medium text-accent-ink" : "border-line-strong bg-surface text-ink-2 hover:text-ink"}`}
        >
          {isShared ? <Users aria-hidden className="size-3.5" /> : <Bookmark aria-hidden className="size-3.5" />}
          {name}
        </Link>
      ))}
      {query !== "" ? <Plain href={withParameters(path, given, { do: "save-view" })} text={t("viewSave")} /> : null}
      {views.some(({ isOwn }) => isOwn) ? (
        <Plain href={withParameters(path, given, { do: "views" })} text={t("viewManage")} />
      ) : null}
    </nav>
  );
}

export async function ColumnsLink({ path, given }: Omit<ViewsProps, "ctx">) {
  const t = await getTranslations("payments");
  return (
    <LinkButton
      href={withParameters(path, given, { do: "columns" })}
      size="sm"
      scroll={false}
      prefetch={false}
      className="print:hidden"
    >
      <Columns3 aria-hidden />
      <span className="max-[1440px]:sr-only">{t("columns")}</span>
    </LinkButton>
  );
}

const Plain = ({ href, text }: { href: string; text: string }) => (
  <Link
    href={href}
    scroll={false}
    prefetch={false}
    className="inline-flex h-8 items-center rounded-md px-2 text-ink-2 text-sm hover:text-ink hover:underline max-sm:h-11"
  >
    {text}
  </Link>
);

/** Saving, choosing columns and taking views away; each dialog is an address. */
export async function ViewDialog({
  asked,
  ctx,
  path,
  given,
  several,
  said,
}: ViewsProps & {
  asked: ViewDialogName;
  several: Several;
  /** The filters of an address, in words. */
  said: (given: GivenParameters) => readonly string[];
}) {
  const t = await getTranslations("payments");
  const closeHref = withParameters(path, given, {});
  switch (asked) {
    case "save-view":
      return (
        <ActionDialog title={t("viewSave")} text={t("viewSaveText")} closeHref={closeHref}>
          <p className="px-5 pt-3 text-ink-2 text-sm">{said(given).join(" · ") || t("viewNoFilters")}</p>
          <TaskForm
            hidden={{ query: queryOf(given) }}
            fields={[
              { name: "name", label: t("viewName"), isRequired: true },
              { name: "isShared", label: t("viewShared"), hint: t("viewSharedHint"), kind: "check" },
            ]}
            onAct={saveViewAction}
            closeHref={closeHref}
            texts={await taskTexts(t("viewSaveButton"))}
          />
        </ActionDialog>
      );
    case "views":
      return (
        <ActionDialog title={t("viewManage")} text={t("viewManageText")} closeHref={closeHref}>
          <ul className="grid gap-1 px-5 pt-3 pb-5">
            {(await viewsOf(ctx, "payments"))
              .filter(({ isOwn }) => isOwn)
              .map(({ id, name, query, isShared }) => (
                <li key={id} className="flex items-center justify-between gap-3">
                  <span className="min-w-0 text-ink text-sm">
                    <span className="block truncate">
                      {name}
                      {isShared ? <span className="ml-2 text-ink-3 text-xs">{t("viewIsShared")}</span> : null}
                    </span>
                    <span className="block break-words text-ink-3 text-xs">
                      {said(givenBy(query)).join(" · ") || t("viewNoFilters")}
                    </span>
                  </span>
                  <TaskButton
                    text={t("viewDelete", { name })}
                    hidden={{ id, back: closeHref }}
                    onAct={deleteViewAction}
                    size="sm"
                  />
                </li>
              ))}
          </ul>
        </ActionDialog>
      );
    case "columns":
      return (
        <ActionDialog title={t("columns")} text={t("columnsText")} closeHref={closeHref}>
          <ColumnsForm path={path} given={given} several={several} />
        </ActionDialog>
      );
  }
}

const COLUMN_TEXTS = {
  status: "columnStatus",
  method: "columnMethod",
  buyer: "columnBuyer",
  order: "columnOrder",
  link: "columnLink",
  merchant: "columnMerchant",
  provider: "columnProvider",
  decline: "columnDecline",
  date: "columnDate",
} as const satisfies Record<ColumnName, string>;

async function ColumnsForm({ path, given, several }: Pick<ViewsProps, "path" | "given"> & { several: Several }) {
  const t = await getTranslations("payments");
  const chosen = chosenColumns(severalOf(given, "columns"), several);
  const { columns: _columns, ...others } = given;
  return (
    <form action={path} className="grid gap-4 px-5 pt-4 pb-5">
      {Object.keys(others).flatMap((name) =>
        severalOf(others, name).map((value) => (
          <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
        )),
      )}
      <div className="grid gap-x-4 gap-y-1 sm:grid-cols-2">
        {COLUMNS.map((column) => (
          <label key={column} className="flex min-h-8 items-center gap-2.5 text-ink text-sm">
            <input
              type="checkbox"
              name="columns"
              value={column}
              defaultChecked={chosen.includes(column)}
              className="size-4.5 accent-(--accent)"
            />
            {t(COLUMN_TEXTS[column])}
          </label>
        ))}
      </div>
      <div className="flex justify-end">
        <Button type="submit" tone="primary" className="h-11 sm:h-9">
          {t("columnsShow")}
        </Button>
      </div>
    </form>
  );
}
