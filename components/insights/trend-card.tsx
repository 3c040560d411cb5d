import Link from "next/link";
import type { ReactNode } from "react";
import { Trend, type TrendProps } from "@/components/insights/trend";
import { Card, CardHeader } from "@/components/ui/card";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";

interface TrendCardProps extends TrendProps {
  title: string;
  description: ReactNode;
  /** Opens the table of the same figures. */
  asTable: string;
  when: string;
}

export function TrendCard({ title, description, asTable, when, points, locale, texts }: TrendCardProps) {
  return (
    <Card className="flex flex-col overflow-hidden">
      <CardHeader title={title} description={description} />
      <div className="pt-3">
        <Trend points={points} locale={locale} texts={texts} />
      </div>
      <div className="flex flex-wrap gap-x-5 gap-y-1 px-5 pt-2 text-ink-2 text-xs">
        <Key colour="bg-accent" text={texts.now} />
        <Key colour="bg-line-strong" text={texts.before} />
      </div>
      <details className="mt-2 border-line border-t">
        <summary className="flex min-h-10 cursor-pointer items-center px-5 text-ink-2 text-sm hover:text-ink">
          {asTable}
        </summary>
        <div className="max-h-72 overflow-y-auto border-line border-t">
          <Table caption={title}>
            <TableHead>
              <tr>
                <TableHeader className="pl-5">{when}</TableHeader>
                <TableHeader isNumeric>{texts.now}</TableHeader>
                <TableHeader isNumeric className="pr-5">
                  {texts.before}
                </TableHeader>
              </tr>
            </TableHead>
            <TableBody>
              {points.map((point) => (
                <TableRow key={point.label}>
                  <TableCell className="py-1.5 pl-5 text-ink-2">
                    <Link href={point.href} prefetch={false} className="rounded-sm hover:text-ink hover:underline">
                      {point.label}
                      <span className="sr-only"> {texts.open}</span>
                    </Link>
                  </TableCell>
                  <TableCell isNumeric className="py-1.5">
                    {point.volumeText}
                  </TableCell>
                  <TableCell isNumeric className="py-1.5 pr-5 text-ink-2">
                    {point.beforeText}
                  </TableCell>
                </TableRow>
              ))}
            </TableBody>
          </Table>
        </div>
      </details>
    </Card>
  );
}

function Key({ colour, text }: { colour: string; text: string }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <span aria-hidden className={`size-2.5 forced-color-adjust-none rounded-sm ${colour}`} />
      {text}
    </span>
  );
}
