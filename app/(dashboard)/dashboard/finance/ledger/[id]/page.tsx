import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { cache } from "react";
import { financeWords, LEDGER } from "@/app/(dashboard)/dashboard/finance/words";
import { orNotFound, requireRight } from "@/app/(dashboard)/operator-context";
import { tabTitle } from "@/app/(dashboard)/tab-title";
import { BackLink } from "@/components/dashboard/back-link";
import { Facts } from "@/components/dashboard/facts";
import { Card, CardHeader } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import { LinkButton } from "@/components/ui/link-button";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import type { Evidence } from "@/lib/finance/evidence";
import { journalView } from "@/lib/finance/ledger";
import { may, type Right } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";

interface JournalPageProps {
  params: Promise<{ id: string }>;
}

const read = cache(async (id: string) => {
  const member = await requireRight(`${LEDGER}/${id}`, "ledger.see");
  return { ...member, view: await orNotFound(journalView(member.ctx, member.role, id)) };
});

export async function generateMetadata({ params }: JournalPageProps): Promise<Metadata> {
  const [{ view }, t, words] = await Promise.all([read((await params).id), getTranslations("finance"), financeWords()]);
  return tabTitle(words.journal(view.row.eventType), t("journal"));
}

export default async function JournalPage({ params }: JournalPageProps) {
  const { id } = await params;
  const t = await getTranslations("finance");
  const [{ money, moment, day, journal, account }, { role, view }] = await Promise.all([financeWords(), read(id)]);
  const { row, lines, sum, evidence, merchant } = view;
  const link = "rounded-sm text-accent-ink underline underline-offset-4";
  return (
    <>
      <BackLink href={LEDGER} text={t("ledger")} />
      <header className="mt-3 mb-6">
        <h1 className="font-semibold text-3xl text-ink">{journal(row.eventType)}</h1>
        <p className="mt-2 text-ink-2">{t("journalText", { at: moment(row.createdAt), count: lines.length })}</p>
      </header>
      <div className="grid grid-cols-1 gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <Card className="self-start overflow-hidden">
          <CardHeader title={t("postings")} description={row.memo ? t("memoText") : t("postingsText")} />
          <Table caption={t("postings")}>
            <TableHead>
              <tr>
                <TableHeader className="pl-5">{t("account")}</TableHeader>
                <TableHeader isNumeric>{t("debit")}</TableHeader>
                <TableHeader isNumeric className="pr-5">
                  {t("credit")}
                </TableHeader>
              </tr>
            </TableHead>
            <TableBody>
              {lines.map((each) => (
                <TableRow key={each.line}>
                  <TableCell className="py-2.5 pl-5">
                    <a className={link} href={`${LEDGER}?account=${each.account.id}`}>
                      {account(each.account)}
                    </a>
                  </TableCell>
                  <TableCell isNumeric className="whitespace-nowrap py-2.5">
                    {each.amount > 0 ? money(each.amount) : ""}
                  </TableCell>
                  <TableCell isNumeric className="whitespace-nowrap py-2.5 pr-5">
                    {each.amount < 0 ? money(-each.amount) : ""}
                  </TableCell>
                </TableRow>
              ))}
              <TableRow className="border-line-strong border-t-2 font-semibold">
                <TableCell className="py-3 pl-5">{sum === 0 ? t("sumZero") : t("sumBroken")}</TableCell>
                {[1, -1].map((sign) => (
                  <TableCell key={sign} isNumeric className="whitespace-nowrap py-3 last:pr-5">
                    {money(lines.reduce((total, { amount }) => total + Math.max(0, sign * amount), 0))}
                  </TableCell>
                ))}
              </TableRow>
            </TableBody>
          </Table>
        </Card>
        <div className="grid content-start gap-5">
          {evidence ? <EvidenceCard evidence={evidence} role={role} /> : null}
          <Card>
            <CardHeader title={t("about")} />
            <Facts
              facts={[
                { name: t("merchant"), value: merchant ?? t("none") },
                { name: t("civilDate"), value: day(row.civilDate) },
                { name: t("eventType"), value: <span className="font-mono text-xs">{row.eventType}</span> },
                { name: t("eventId"), value: <span className="break-all font-mono text-xs">{row.eventId}</span> },
                ...(row.reverses
                  ? [
                      {
                        name: t("reverses"),
                        value: (
                          <a className={link} href={`${LEDGER}/${row.reverses}`}>
                            {t("journal")}
                          </a>
                        ),
                      },
                    ]
                  : []),
                {
                  name: t("id"),
                  value: (
                    <span className="flex items-center gap-1">
                      <span className="break-all font-mono text-xs">{row.id}</span>
                      <CopyButton text={row.id} label={t("copyId")} />
                    </span>
                  ),
                },
              ]}
            />
          </Card>
        </div>
      </div>
    </>
  );
}

const PLACES = {
  payment: { path: "/dashboard/payments", right: "payments.see", named: "evidencePayment" },
  batch: { path: "/dashboard/payouts/batches", right: "payouts.see", named: "evidenceBatch" },
  prepayment: { path: "/dashboard/payouts/prepayments", right: "payouts.see", named: "evidencePrepayment" },
  seller: { path: "/dashboard/sellers", right: "sellers.see", named: "evidenceSeller" },
} as const satisfies Record<string, { path: string; right: Right; named: string }>;

/** What it was written for: a page of its own, or the line that an acquirer sent. */
async function EvidenceCard({ evidence, role }: { evidence: Evidence; role: OperatorRole }) {
  const [t, { money, day }] = await Promise.all([getTranslations("finance"), financeWords()]);
  if (evidence.kind !== "statement") {
    const { path, right, named } = PLACES[evidence.kind];
    return (
      <Card>
        <CardHeader title={t("evidence")} description={t(named)} />
        {may(role, right) ? (
          <div className="px-5 py-4">
            <LinkButton href={`${path}/${evidence.id}`}>{t("evidenceOpen")}</LinkButton>
          </div>
        ) : null}
      </Card>
    );
  }
  const { line, provider, paymentId } = evidence;
  return (
    <Card>
      <CardHeader title={t("evidence")} description={t("evidenceStatement", { provider })} />
      <Facts
        facts={[
          { name: t("day"), value: day(line.settledOn) },
          { name: t("settled"), value: money(line.amount) },
          { name: t("cost"), value: money(line.cost) },
          { name: t("lineId"), value: <span className="break-all font-mono text-xs">{line.externalId}</span> },
        ]}
      />
      {paymentId && may(role, "payments.see") ? (
        <div className="border-line border-t px-5 py-4">
          <LinkButton href={`/dashboard/payments/${paymentId}`}>{t("evidenceOpen")}</LinkButton>
        </div>
      ) : null}
    </Card>
  );
}
