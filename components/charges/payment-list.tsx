import { ArrowDown, ArrowUp, Ellipsis } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import type { ColumnName } from "@/components/charges/columns";
import type { Density } from "@/components/charges/density";
import { Buyer, Method, OrderBelow, Status, WHOLE } from "@/components/charges/payment-cells";
import type { RowAct } from "@/components/charges/row-menu";
import { Moment } from "@/components/dashboard/moment";
import { classes } from "@/components/ui/classes";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import type { ChargeRow } from "@/lib/charges/queries";

/** A payment in finished words: a charge, or a purchase with its cards. */
export interface PaymentRow {
  id: string;
  href: string;
  status: { value: ChargeRow["status"]; text: string };
  review: string | undefined;
  amount: string;
  /** What belongs to the amount: of how much it is a part, what was refunded. */
  beside: string | undefined;
  method: { value: string; text: string; detail: string | undefined };
  /** Of a purchase: each card with its part. */
  cards: readonly string[];
  /** By name where one is known; the e-mail stands below it. */
  buyer: { name: string; email: string | undefined } | undefined;
  orderId: string | undefined;
  link: { href: string; text: string } | undefined;
  merchant: string | undefined;
  provider: string | undefined;
  /** A name for the row, and the sentence that it stands for. */
  decline: { short: string; full: string } | undefined;
  created: { at: Date; text: string };
  /** What can be begun from here. */
  acts: readonly RowAct[];
  /** Names the row for its checkbox and its menu. */
  name: string;
}

type Texts = Record<ColumnName | "caption" | "amount" | "none" | "select" | "selectAll" | "menu" | "sort", string>;

interface PaymentListProps {
  rows: readonly PaymentRow[];
  columns: readonly ColumnName[];
  density: Density;
  sorts: Record<"amount" | "date", SortLink>;
  texts: Texts;
}

interface SortLink {
  href: string;
  state: "ascending" | "descending" | undefined;
}

/** A table where there is room for one, cards on a phone. */
export function PaymentList(props: PaymentListProps) {
  const { rows, texts, sorts } = props;
  return (
    <>
      <div className="hidden md:block">
        <WideList {...props} />
      </div>
      <p className="flex items-center gap-4 border-line border-b px-4 text-ink-3 text-xs md:hidden print:hidden">
        {texts.sort}
        <CardSort text={texts.date} sort={sorts.date} />
        <CardSort text={texts.amount} sort={sorts.amount} />
      </p>
      <ul aria-label={texts.caption} className="divide-y divide-line md:hidden">
        {rows.map((row) => (
          <li
            key={row.id}
            data-item={row.id}
            className="relative grid grid-cols-1 gap-1.5 px-4 py-3.5 has-[input:checked]:bg-accent-soft"
          >
            <div className="flex items-center justify-between gap-3">
              <span className="flex items-center gap-2">
                {/* On a phone a card is its link alone; a wide page seen at 200 % has its keys. */}
                <span className="relative z-10 -my-2 -ml-2 max-sm:hidden print:hidden">
                  <Box label={[texts.select, row.name].join(" ")} id={row.id} />
                </span>
                <RowLink row={row} className="font-semibold text-base" />
              </span>
              <span className="flex items-center gap-2">
                <Status row={row} />
                <span className="relative z-10 -my-2 -mr-2 max-sm:hidden print:hidden">
                  <MenuButton row={row} label={texts.menu} />
                </span>
              </span>
            </div>
            <div className="flex items-center justify-between gap-3 text-ink-2 text-sm">
              <span className={classes("min-w-0", WHOLE)}>
                {row.buyer ? <Buyer {...row.buyer} /> : (row.orderId ?? texts.none)}
              </span>
              <span className="grid min-w-0 shrink-0 justify-items-end">
                <Method row={row} />
                {row.buyer && row.orderId ? (
                  <span title={row.orderId} className="max-w-40 truncate text-ink-3 text-xs">
                    {row.orderId}
                  </span>
                ) : null}
              </span>
            </div>
            <div className="flex items-center justify-between gap-3 text-ink-3 text-xs">
              <Moment {...row.created} />
              {row.decline ? (
                <span title={row.decline.full} className="min-w-0 truncate">
                  {row.decline.short}
                </span>
              ) : null}
              {row.beside ? <span className="tabular-nums">{row.beside}</span> : null}
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}

const NUMERIC: ReadonlySet<ColumnName> = new Set(["date"]);
const LONG_ORDER = 9;
/** Names share the room that the others leave, so that the date and the menu are never pushed out of sight. */
const WIDTHS: Record<ColumnName, string> = {
  status: "whitespace-nowrap py-0.5",
  method: "max-w-56 whitespace-nowrap py-0.5",
  buyer: "w-2/5 min-w-28 max-w-0 py-0.5",
  order: "w-1/4 min-w-28 max-w-0 py-0.5",
  link: "w-1/4 min-w-16 max-w-0 truncate",
  merchant: "w-1/6 min-w-28 max-w-0 py-0.5",
  provider: "w-1/8 min-w-24 max-w-0 py-0.5",
  decline: "w-1/6 min-w-24 max-w-0 py-0.5 text-balance text-xs leading-3.5",
  date: "min-w-24 py-0.5 text-balance leading-4 xl:min-w-32 max-xl:text-xs [&_time]:whitespace-normal",
};
/** What each of these says stands below the text of another that is shown, and needs no column of its own. */
const BELOW: Partial<Record<ColumnName, ColumnName>> = { merchant: "order", provider: "method" };
const ROWS: Record<Density, string> = { compact: "h-9", comfortable: "h-14" };

const isBelow = (column: ColumnName, chosen: readonly ColumnName[]): boolean => {
  const above = BELOW[column];
  return above !== undefined && chosen.includes(above);
};
/** On a narrow screen an order stands below its buyer. */
const look = (column: ColumnName, columns: readonly ColumnName[]): string =>
  classes(column === "order" && columns.includes("buyer") && "not-print:max-xl:hidden", WIDTHS[column]);

/** As wide as what it stands below, never wider. */
function LineBelow({ text, className }: { text: string; className?: string }) {
  return (
    <span title={text} className={classes("block w-0 min-w-full truncate text-ink-3 text-xs leading-3.5", className)}>
      {text}
    </span>
  );
}

function WideList({ rows, columns: chosen, texts, density, sorts }: PaymentListProps) {
  const isCompact = density === "compact";
  const columns = chosen.filter((column) => !isBelow(column, chosen));
  return (
    <Table caption={texts.caption}>
      <TableHead>
        <tr>
          <TableHeader className="w-10 py-0 pr-0 pl-4 print:hidden">
            <Box label={texts.selectAll} isAll />
          </TableHeader>
          <SortHeader text={texts.amount} sort={sorts.amount} />
          {columns.map((column) =>
            column === "date" ? (
              <SortHeader key={column} text={texts.date} sort={sorts.date} />
            ) : (
              <TableHeader
                key={column}
                isNumeric={NUMERIC.has(column)}
                className={classes("px-2", look(column, columns))}
              >
                {texts[column]}
              </TableHeader>
            ),
          )}
          <TableHeader className="w-12 pr-4 print:hidden">
            <span className="sr-only">{texts.menu}</span>
          </TableHeader>
        </tr>
      </TableHead>
      <TableBody>
        {rows.map((row) => (
          <TableRow
            key={row.id}
            data-item={row.id}
            className={classes(
              "relative has-[a:focus-visible]:bg-sunken has-[input:checked]:bg-accent-soft",
              ROWS[density],
            )}
          >
            <TableCell className="relative z-10 w-10 py-0 pr-0 pl-4 print:hidden">
              <Box label={[texts.select, row.name].join(" ")} id={row.id} />
            </TableCell>
            <TableCell isNumeric className="whitespace-nowrap px-2 py-1">
              <RowLink row={row} className="font-semibold" />
              {row.beside && !isCompact ? (
                <span className="block whitespace-normal text-ink-3 text-xs">{row.beside}</span>
              ) : null}
            </TableCell>
            {columns.map((column) => (
              <TableCell
                key={column}
                isNumeric={NUMERIC.has(column)}
                className={classes("px-2 py-1 text-ink-2", look(column, columns))}
              >
                {CELLS[column](row, chosen, isCompact, texts.none) ?? <span className="text-ink-3">{texts.none}</span>}
              </TableCell>
            ))}
            <TableCell className="relative z-10 w-12 py-0 pr-3 pl-0 print:hidden">
              <MenuButton row={row} label={texts.menu} />
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

type CellOf = (row: PaymentRow, columns: readonly ColumnName[], isCompact: boolean, none: string) => ReactNode;

const CELLS: Record<ColumnName, CellOf> = {
  status: (row, columns, isCompact) => {
    const beside = isCompact && row.status.value !== "voided" ? row.beside : undefined;
    return <Status row={row} decline={columns.includes("decline") ? undefined : row.decline} beside={beside} />;
  },
  method: (row, columns) => (
    <>
      <Method row={row} />
      {row.provider && columns.includes("provider") ? (
        <LineBelow text={row.provider} className="not-print:max-xl:hidden" />
      ) : null}
    </>
  ),
  buyer: ({ buyer, orderId, merchant }, columns, _isCompact, none) => {
    const below = columns.includes("order") ? [orderId, isBelow("merchant", columns) && merchant].filter(Boolean) : [];
    if (!buyer && below.length === 0) return undefined;
    return (
      <>
        {buyer ? (
          <Buyer {...buyer} isShort={below.length > 0} />
        ) : (
          <span className="block text-ink-3 leading-4">{none}</span>
        )}
        {below.length > 0 ? <OrderBelow text={below.join(" · ")} /> : null}
      </>
    );
  },
  order: ({ orderId, merchant }, columns, _isCompact, none) => {
    const below = columns.includes("merchant") ? merchant : undefined;
    if (!orderId && !below) return undefined;
    return (
      <>
        {orderId ? (
          <span
            title={orderId}
            className={classes(
              WHOLE,
              below ? "line-clamp-1" : "line-clamp-2",
              "print:line-clamp-none",
              orderId.length > LONG_ORDER && "text-xs leading-3.5",
            )}
          >
            {orderId}
          </span>
        ) : (
          <span className="block text-ink-3 leading-4">{none}</span>
        )}
        {below ? <LineBelow text={below} /> : null}
      </>
    );
  },
  link: ({ link }) =>
    link && (
      <Link href={link.href} prefetch={false} className="relative z-10 rounded-sm hover:text-ink hover:underline">
        {link.text}
      </Link>
    ),
  merchant: ({ merchant }) =>
    merchant && (
      <span title={merchant} className="line-clamp-2 wrap-break-word text-xs leading-3.5">
        {merchant}
      </span>
    ),
  provider: ({ provider }) => provider && <LineBelow text={provider} />,
  decline: ({ decline }) => decline && <span title={decline.full}>{decline.short}</span>,
  date: ({ created }) => <Moment {...created} />,
};

function SortHeader({ text, sort: { href, state } }: { text: string; sort: SortLink }) {
  const Icon = state === "ascending" ? ArrowUp : ArrowDown;
  return (
    <TableHeader isNumeric aria-sort={state ?? "none"} className="px-2">
      <Link href={href} scroll={false} className="inline-flex items-center gap-1 rounded-sm hover:text-ink">
        {text}
        <Icon aria-hidden className={classes("size-3", !state && "opacity-30")} />
      </Link>
    </TableHeader>
  );
}

/** What the head of a table does, above cards. */
function CardSort({ text, sort: { href, state } }: { text: string; sort: SortLink }) {
  const Icon = state === "ascending" ? ArrowUp : ArrowDown;
  return (
    <Link
      href={href}
      scroll={false}
      aria-current={state ? "true" : undefined}
      className={classes("inline-flex min-h-11 items-center gap-1 rounded-sm", state ? "text-ink" : "hover:text-ink")}
    >
      {text}
      <Icon aria-hidden className={classes("size-3", !state && "opacity-30")} />
    </Link>
  );
}

function MenuButton({ row, label }: { row: PaymentRow; label: string }) {
  return (
    <button
      type="button"
      data-row-menu={row.id}
      data-acts={row.acts.join(" ")}
      aria-haspopup="menu"
      aria-label={[label, row.name].join(" ")}
      className="grid size-8 pointer-coarse:size-11 place-items-center rounded-md text-ink-3 hover:bg-line hover:text-ink"
    >
      <Ellipsis aria-hidden className="size-4" />
    </button>
  );
}

/** An ordinary checkbox: what is selected is counted by the tools beside the list. */
function Box({ label, id, isAll }: { label: string; id?: string; isAll?: boolean }) {
  return (
    <label className="grid size-8 pointer-coarse:size-11 cursor-pointer place-items-center">
      <input
        type="checkbox"
        aria-label={label}
        data-select={id}
        data-select-all={isAll ? "" : undefined}
        autoComplete="off"
        className="size-4 accent-(--accent)"
      />
    </label>
  );
}

/** The whole row is its target. */
function RowLink({ row, className }: { row: PaymentRow; className: string }) {
  return (
    <Link
      href={row.href}
      prefetch={false}
      data-row={row.id}
      className={`whitespace-nowrap rounded-sm text-ink tabular-nums outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:outline-focus focus-visible:after:-outline-offset-2 ${className}`}
    >
      {row.amount}
    </Link>
  );
}
