import { TriangleAlert } from "lucide-react";
import Link from "next/link";
import { MethodIcon } from "@/components/charges/method-icon";
import { StatusBadge } from "@/components/charges/status-badge";
import { Moment } from "@/components/dashboard/moment";
import { Badge } from "@/components/ui/badge";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import type { ChargeRow } from "@/lib/charges/queries";

/** A payment in finished words. */
export interface PaymentRow {
  id: string;
  href: string;
  status: { value: ChargeRow["status"]; text: string };
  review: string | undefined;
  amount: string;
  refunded: string | undefined;
  method: { value: string; text: string; detail: string | undefined };
  buyer: string | undefined;
  orderId: string | undefined;
  merchant: string | undefined;
  provider: string | undefined;
  created: { at: Date; text: string };
}

interface PaymentListProps {
  rows: readonly PaymentRow[];
  /** Left out while the account has one merchant. */
  withMerchant: boolean;
  texts: {
    caption: string;
    status: string;
    amount: string;
    method: string;
    buyer: string;
    order: string;
    merchant: string;
    provider: string;
    date: string;
    none: string;
  };
}

/** A table where there is room for one, cards on a phone. */
export function PaymentList(props: PaymentListProps) {
  return (
    <>
      <div className="hidden md:block">
        <WideList {...props} />
      </div>
      <ul aria-label={props.texts.caption} className="divide-y divide-line md:hidden">
        {props.rows.map((row) => (
          <li key={row.id} className="relative grid grid-cols-1 gap-1.5 px-4 py-3.5">
            <div className="flex items-center justify-between gap-3">
              <RowLink row={row} className="font-semibold text-base" />
              <Status row={row} />
            </div>
            <div className="flex items-center justify-between gap-3 text-ink-2 text-sm">
              <span className="min-w-0 truncate">{row.buyer ?? row.orderId ?? props.texts.none}</span>
              <Method row={row} />
            </div>
            <div className="flex items-center justify-between gap-3 text-ink-3 text-xs">
              <Moment {...row.created} />
              {row.refunded ? <span className="tabular-nums">{row.refunded}</span> : null}
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}

function WideList({ rows, withMerchant, texts }: PaymentListProps) {
  return (
    <Table caption={texts.caption}>
      <TableHead>
        <tr>
          <TableHeader isNumeric className="pl-5">
            {texts.amount}
          </TableHeader>
          <TableHeader>{texts.status}</TableHeader>
          <TableHeader>{texts.method}</TableHeader>
          <TableHeader>{texts.buyer}</TableHeader>
          <TableHeader>{texts.order}</TableHeader>
          {withMerchant ? <TableHeader>{texts.merchant}</TableHeader> : null}
          <TableHeader className="hidden xl:table-cell">{texts.provider}</TableHeader>
          <TableHeader isNumeric className="pr-5">
            {texts.date}
          </TableHeader>
        </tr>
      </TableHead>
      <TableBody>
        {rows.map((row) => (
          <TableRow key={row.id} className="relative h-14 has-[a:focus-visible]:bg-sunken">
            <TableCell isNumeric className="py-2 pl-5">
              <RowLink row={row} className="font-semibold" />
              {row.refunded ? <div className="whitespace-nowrap text-ink-3 text-xs">{row.refunded}</div> : null}
            </TableCell>
            <TableCell className="py-2">
              <Status row={row} />
            </TableCell>
            <TableCell className="py-2">
              <Method row={row} />
            </TableCell>
            <Text value={row.buyer} none={texts.none} />
            <Text value={row.orderId} none={texts.none} />
            {withMerchant ? <Text value={row.merchant} none={texts.none} /> : null}
            <Text value={row.provider} none={texts.none} className="hidden xl:table-cell" />
            <TableCell isNumeric className="py-2 pr-5 text-ink-2">
              <Moment {...row.created} />
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

/** The whole row is its target. */
function RowLink({ row, className }: { row: PaymentRow; className: string }) {
  return (
    <Link
      href={row.href}
      prefetch={false}
      data-row
      className={`whitespace-nowrap rounded-sm text-ink tabular-nums outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:outline-focus focus-visible:after:-outline-offset-2 ${className}`}
    >
      {row.amount}
    </Link>
  );
}

function Status({ row }: { row: PaymentRow }) {
  return (
    <span className="flex">
      {row.review ? (
        <Badge tone="warning" icon={TriangleAlert}>
          {row.review}
        </Badge>
      ) : (
        <StatusBadge status={row.status.value} text={row.status.text} />
      )}
    </span>
  );
}

function Method({ row }: { row: PaymentRow }) {
  return (
    <span className="flex items-center gap-2 whitespace-nowrap text-ink-2">
      <MethodIcon method={row.method.value} />
      <span>{row.method.text}</span>
      {row.method.detail ? <span className="text-ink-3 tabular-nums">{row.method.detail}</span> : null}
    </span>
  );
}

function Text({ value, none, className = "" }: { value: string | undefined; none: string; className?: string }) {
  return (
    <TableCell className={`max-w-48 truncate py-2 text-ink-2 ${className}`} title={value}>
      {value ?? <span className="text-ink-3">{none}</span>}
    </TableCell>
  );
}
