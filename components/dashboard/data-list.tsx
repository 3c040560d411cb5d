import Link from "next/link";
import type { ReactNode } from "react";
import { classes } from "@/components/ui/classes";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";

export interface Column {
  key: string;
  title: string;
  isNumeric?: boolean;
  /** Left out on middling screens. */
  isMinor?: boolean;
  /** Not on the cards of a phone. */
  isWideOnly?: boolean;
  /** Wraps where it is long: nothing of it is cut off. */
  isWhole?: boolean;
  /** Takes a share of the room that the others leave, and is cut off there: long names push nothing out of sight. */
  isFlexible?: boolean;
  /** On two lines where there is little room, its heading too: a date with its time, a sentence. */
  isFolded?: boolean;
}

export interface DataRow {
  id: string;
  /** The first cell becomes a link that the whole row follows. */
  href?: string | undefined;
  cells: readonly ReactNode[];
  /** Buttons, at the end. */
  actions?: ReactNode;
}

interface DataListProps {
  caption: string;
  columns: readonly Column[];
  rows: readonly DataRow[];
  /** Names the column of the buttons. */
  actions?: string;
}

const LINK =
  "rounded-sm font-medium text-ink outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:outline-focus focus-visible:after:-outline-offset-2";

/** Of a cell that may be cut off. */
const textOf = (cell: ReactNode): string | undefined => (typeof cell === "string" ? cell : undefined);

/** A table where there is room for one, cards on a phone. */
export function DataList({ caption, columns, rows, actions }: DataListProps) {
  return (
    <>
      <div className="hidden md:block">
        <Table caption={caption}>
          <TableHead>
            <tr>
              {columns.map((column, index) => (
                <TableHeader
                  key={column.key}
                  isNumeric={column.isNumeric}
                  title={column.isFlexible ? column.title : undefined}
                  className={classes(shape(column, ""), edge(index, columns.length, actions, column.isMinor))}
                >
                  {column.title}
                </TableHeader>
              ))}
              {actions ? (
                <TableHeader className="pr-5">
                  <span className="sr-only">{actions}</span>
                </TableHeader>
              ) : null}
            </tr>
          </TableHead>
          <TableBody>
            {rows.map((row) => (
              <TableRow key={row.id} className="relative h-13 has-[a:focus-visible]:bg-sunken">
                {columns.map((column, index) => (
                  <TableCell
                    key={column.key}
                    isNumeric={column.isNumeric}
                    title={column.isWhole || column.isFolded ? undefined : textOf(row.cells[index])}
                    className={classes(
                      "max-w-72 py-2",
                      shape(column, column.isWhole ? "wrap-anywhere leading-4" : "truncate"),
                      index > 0 && "text-ink-2",
                      edge(index, columns.length, actions, column.isMinor),
                    )}
                  >
                    <Cell row={row} index={index} />
                  </TableCell>
                ))}
                {actions ? (
                  <TableCell className="relative py-1.5 pr-5">
                    <div className="flex justify-end gap-1.5">{row.actions}</div>
                  </TableCell>
                ) : null}
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </div>
      <ul aria-label={caption} className="divide-y divide-line md:hidden">
        {rows.map((row) => (
          <li key={row.id} className="relative grid grid-cols-1 gap-2 px-5 py-3.5">
            <div className="min-w-0 break-words">
              <Cell row={row} index={0} />
            </div>
            <dl className="grid grid-cols-1 gap-1 text-xs">
              {columns.slice(1).map(({ key, title, isWideOnly }, index) =>
                isWideOnly || row.cells[index + 1] == null ? null : (
                  <div key={key} className="flex justify-between gap-4">
                    <dt className="shrink-0 text-ink-3">{title}</dt>
                    <dd className="min-w-0 break-words text-right text-ink-2 [&>*]:justify-end">
                      {row.cells[index + 1]}
                    </dd>
                  </div>
                ),
              )}
            </dl>
            {row.actions ? (
              <div className="relative flex flex-wrap gap-2 [&_:is(a,button)]:h-11">{row.actions}</div>
            ) : null}
          </li>
        ))}
      </ul>
    </>
  );
}

const FLEXIBLE = "w-1/4 min-w-24 max-w-0 truncate";
const FOLDED = "min-w-30 whitespace-normal text-balance leading-4 [&_time]:whitespace-normal";

const shape = ({ isFlexible, isFolded }: Column, usual: string): string =>
  isFlexible ? FLEXIBLE : isFolded ? FOLDED : usual;

/** From here on columns stand closer together where the screen is not wide. */
const MANY = 7;

function edge(index: number, count: number, actions: string | undefined, isMinor: boolean | undefined): string {
  const isFirst = index === 0;
  const isLast = index === count - 1 && !actions;
  return classes(
    isFirst && "pl-5",
    isLast && "pr-5",
    count + (actions ? 1 : 0) >= MANY &&
      (isFirst ? "max-[1440px]:pr-2.5" : isLast ? "max-[1440px]:pl-2.5" : "max-[1440px]:px-2.5"),
    isMinor && "hidden xl:table-cell",
  );
}

function Cell({ row, index }: { row: DataRow; index: number }) {
  const content = row.cells[index];
  if (index > 0 || !row.href) return content;
  return (
    <Link href={row.href} prefetch={false} data-row className={LINK}>
      {content}
    </Link>
  );
}
