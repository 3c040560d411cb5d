import Link from "next/link";
import { Moment } from "@/components/dashboard/moment";
import { Badge } from "@/components/ui/badge";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";

export interface RequestRow {
  id: string;
  href: string;
  status: number;
  method: string;
  path: string;
  duration: string;
  key: string | undefined;
  note: string | undefined;
  at: { at: Date; text: string };
}

interface RequestListProps {
  rows: readonly RequestRow[];
  texts: Record<"caption" | "status" | "request" | "duration" | "key" | "date" | "none", string>;
}

const REFUSED = 400;
const FAILED = 500;

/** The number says it; the colour repeats it. */
export function HttpStatus({ status }: { status: number }) {
  const tone = status >= FAILED ? "danger" : status >= REFUSED ? "warning" : "success";
  return (
    <Badge tone={tone} className="font-mono tabular-nums">
      {status}
    </Badge>
  );
}

export function RequestList({ rows, texts }: RequestListProps) {
  return (
    <>
      <div className="hidden md:block">
        <Table caption={texts.caption} className="table-fixed">
          <TableHead>
            <tr>
              <TableHeader className="w-24 pl-5">{texts.status}</TableHeader>
              <TableHeader>{texts.request}</TableHeader>
              <TableHeader className="hidden w-56 lg:table-cell">{texts.key}</TableHeader>
              <TableHeader isNumeric className="w-28">
                {texts.duration}
              </TableHeader>
              <TableHeader isNumeric className="w-52 pr-5">
                {texts.date}
              </TableHeader>
            </tr>
          </TableHead>
          <TableBody>
            {rows.map((row) => (
              <TableRow key={row.id} className="relative h-11 has-[a:focus-visible]:bg-sunken">
                <TableCell className="py-1.5 pl-5">
                  <HttpStatus status={row.status} />
                </TableCell>
                <TableCell className="truncate py-1.5" title={`${row.method} ${row.path}`}>
                  <RowLink row={row} />
                </TableCell>
                <TableCell
                  className="hidden truncate py-1.5 font-mono text-ink-2 text-xs lg:table-cell"
                  title={row.key}
                >
                  {row.note ? <Badge className="mr-2 font-sans">{row.note}</Badge> : null}
                  {row.key ?? texts.none}
                </TableCell>
                <TableCell isNumeric className="py-1.5 text-ink-2">
                  {row.duration}
                </TableCell>
                <TableCell isNumeric className="py-1.5 pr-5 text-ink-2">
                  <Moment {...row.at} />
                </TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </div>
      <ul aria-label={texts.caption} className="divide-y divide-line md:hidden">
        {rows.map((row) => (
          <li key={row.id} className="relative grid grid-cols-1 gap-1.5 px-4 py-3">
            <div className="min-w-0 break-all">
              <RowLink row={row} />
            </div>
            <div className="flex items-center gap-3 text-ink-3 text-xs">
              <HttpStatus status={row.status} />
              <span className="tabular-nums">{row.duration}</span>
              <Moment {...row.at} className="ml-auto" />
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}

function RowLink({ row }: { row: RequestRow }) {
  return (
    <Link
      href={row.href}
      prefetch={false}
      data-row
      className="rounded-sm font-mono text-ink text-xs outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:outline-focus focus-visible:after:-outline-offset-2"
    >
      <span className="mr-2 font-semibold text-ink-2">{row.method}</span>
      {row.path}
    </Link>
  );
}
