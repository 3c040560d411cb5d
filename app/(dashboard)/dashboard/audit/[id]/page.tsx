import type { Metadata } from "next";
import Link from "next/link";
import { getFormatter, getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { cache } from "react";
import { changesOf, fieldWords } from "@/app/(dashboard)/dashboard/audit/fields";
import { auditFilter } from "@/app/(dashboard)/dashboard/audit/filters";
import { AuditObject } from "@/app/(dashboard)/dashboard/audit/object";
import { auditWords, objectNames, UNKNOWN_ADDRESS } from "@/app/(dashboard)/dashboard/audit/words";
import { orNotFound, requireRight } from "@/app/(dashboard)/operator-context";
import { tabTitle } from "@/app/(dashboard)/tab-title";
import { BackLink } from "@/components/dashboard/back-link";
import { type Fact, Facts } from "@/components/dashboard/facts";
import { Moment } from "@/components/dashboard/moment";
import { PageHead } from "@/components/dashboard/page-head";
import { Card, CardHeader } from "@/components/ui/card";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { getAudit } from "@/lib/audit-trail/queries";
import { may } from "@/lib/operators/permissions";

const LIST = "/dashboard/audit";
interface AuditRowPageProps {
  params: Promise<{ id: string }>;
}

const read = cache(async (id: string) => {
  const member = await requireRight(`${LIST}/${id}`, "audit.see");
  return { ...member, found: await orNotFound(getAudit(member.ctx, id, auditFilter(member, {}).own)) };
});

export async function generateMetadata({ params }: AuditRowPageProps): Promise<Metadata> {
  const [{ ctx, found }, t] = await Promise.all([read((await params).id), getTranslations("audit")]);
  const words = await auditWords(ctx, []);
  return tabTitle(words.action(found.row), t("title"));
}

export default async function AuditRowPage({ params }: AuditRowPageProps) {
  const { id } = await params;
  const { found, ...member } = await read(id);
  const { row, link, requestLogId } = found;
  const [t, format, words, objects, fields] = await Promise.all([
    getTranslations("audit"),
    getFormatter(),
    auditWords(member.ctx, [row.actor, row.secondActor]),
    objectNames(member.ctx, [row]),
    fieldWords(),
  ]);
  const when = (at: Date) => (
    <Moment at={at} text={format.dateTime(at, { dateStyle: "medium", timeStyle: "medium" })} />
  );
  const isElsewhere = Math.abs(row.accountAt.getTime() - row.at.getTime()) > MOMENT_MS;
  const requestId = row.requestId ?? t("none");
  const facts: Fact[] = [
    { name: isElsewhere ? t("realTime") : t("columnDate"), value: when(row.at) },
    ...(isElsewhere ? [{ name: t("accountTime"), value: when(row.accountAt) }] : []),
    { name: t("columnWho"), value: words.actor(row.actor) },
    ...(row.secondActor ? [{ name: t("secondPerson"), value: words.actor(row.secondActor) }] : []),
    ...(row.reason ? [{ name: t("reason"), value: words.reason(row.reason) }] : []),
    { name: t("action"), value: code(row.action) },
    {
      name: t("object"),
      value: <AuditObject row={row} role={member.role} name={objects.get(row.objectId)} isWhole />,
    },
    { name: t("columnPlace"), value: row.ip === UNKNOWN_ADDRESS ? t("ipUnknown") : code(row.ip ?? t("none")) },
    {
      name: t("request"),
      value:
        requestLogId && may(member.role, "requests.see") ? (
          <TextLink href={`/dashboard/developers/requests/${requestLogId}`}>{t("openRequest")}</TextLink>
        ) : (
          code(requestId)
        ),
    },
    { name: t("chain"), value: link ? t("chainAt", { position: format.number(link.position) }) : t("chainSoon") },
    ...(link ? [{ name: t("hash"), value: code(link.hash) }] : []),
  ];
  const changes = changesOf(fields, row.before, row.after);
  return (
    <>
      <BackLink href={LIST} text={t("back")} />
      <PageHead title={words.action(row)} description={words.actor(row.actor)} />
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <Card className="overflow-hidden">
          <CardHeader title={t("changes")} />
          {changes.length === 0 ? (
            <p className="px-5 py-4 text-ink-2 text-sm">{t("nothing")}</p>
          ) : (
            <Table caption={t("changes")} className="table-fixed">
              <TableHead>
                <tr>
                  <TableHeader className="w-1/4 pl-5">{t("field")}</TableHeader>
                  <TableHeader>{t("before")}</TableHeader>
                  <TableHeader className="pr-5">{t("after")}</TableHeader>
                </tr>
              </TableHead>
              <TableBody>
                {changes.map(({ field, name, before, after }) => (
                  <TableRow key={field}>
                    <TableCell title={field} className="break-words py-2.5 pl-5 align-top text-sm">
                      {name}
                    </TableCell>
                    <TableCell className="whitespace-pre-wrap break-words py-2.5 align-top text-ink-2 text-sm">
                      {before ?? t("none")}
                    </TableCell>
                    <TableCell className="whitespace-pre-wrap break-words py-2.5 pr-5 align-top text-sm">
                      {after ?? t("none")}
                    </TableCell>
                  </TableRow>
                ))}
              </TableBody>
            </Table>
          )}
        </Card>
        <Card>
          <CardHeader title={t("facts")} />
          <Facts facts={facts} />
        </Card>
      </div>
    </>
  );
}

/** An account's clock this close to ours is ours. */
const MOMENT_MS = 60_000;

const code = (text: string) => <code className="break-all font-mono text-xs">{text}</code>;

function TextLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} className="rounded-sm text-accent-ink underline-offset-4 hover:underline">
      {children}
    </Link>
  );
}
