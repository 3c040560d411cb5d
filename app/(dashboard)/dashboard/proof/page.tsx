import { Download } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { getFormatter, getTranslations } from "next-intl/server";
import { runAuditAction } from "@/app/(dashboard)/dashboard/proof/actions";
import { invariantWords, PLACES, STATE_TONES } from "@/app/(dashboard)/dashboard/proof/words";
import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { DoneNote } from "@/components/dashboard/done-note";
import { Facts } from "@/components/dashboard/facts";
import { Moment } from "@/components/dashboard/moment";
import { PageHead } from "@/components/dashboard/page-head";
import { TaskButton } from "@/components/tasks/task-button";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { onAccountClock } from "@/lib/context";
import { accountProof, type InvariantState } from "@/lib/invariants/account-proof";
import { realNow } from "@/lib/time";

const PATH = "/dashboard/proof";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("invariants");
  return { title: t("title") };
}

/** What must always be true of this account's money, and when it was last looked at. */
export default async function AccountProofPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const { ctx } = await requireRight(PATH, "proof.see");
  const [t, words, format, proof] = await Promise.all([
    getTranslations("invariants"),
    invariantWords(),
    getFormatter(),
    accountProof(ctx),
  ]);
  const count = (state: InvariantState) => proof.invariants.filter((each) => each.state === state).length;
  const [broken, late] = [count("broken"), count("late")];
  const ago = (at: string | null) =>
    at ? (
      <Moment at={onAccountClock(ctx, new Date(at))} text={format.relativeTime(new Date(at), realNow())} />
    ) : (
      t("never")
    );
  return (
    <>
      <PageHead
        title={t("title")}
        description={t("description")}
        action={
          <>
            <TaskButton text={t("run")} hidden={{}} onAct={runAuditAction} />
            <Button asChild>
              <a href={`${PATH}/signed`} download>
                <Download aria-hidden />
                {t("download")}
              </a>
            </Button>
          </>
        }
      />
      {oneOf(given, "done") === "run" ? <DoneNote text={t("ran")} /> : null}
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <Card className="overflow-hidden">
          <CardHeader
            title={
              broken > 0
                ? t("someBroken", { count: broken })
                : late > 0
                  ? t("someLate", { count: late })
                  : t("allHold", { count: proof.invariants.length })
            }
          />
          <Table caption={t("title")}>
            <TableHead>
              <tr>
                <TableHeader className="pl-5">{t("invariant")}</TableHeader>
                <TableHeader>{t("state")}</TableHeader>
                <TableHeader isNumeric className="max-sm:hidden">
                  {t("checked")}
                </TableHeader>
                <TableHeader isNumeric className="pr-5 max-sm:hidden">
                  {t("ranAt")}
                </TableHeader>
              </tr>
            </TableHead>
            <TableBody>
              {proof.invariants.map((invariant) => (
                <TableRow key={invariant.id}>
                  <TableCell className="py-2.5 pl-5">
                    <span className="grid grid-cols-[2.5rem_minmax(0,1fr)] items-baseline">
                      <span className="font-mono text-ink-3 text-xs">{invariant.id}</span>
                      {words.sentence(invariant)}
                    </span>
                  </TableCell>
                  <TableCell className="whitespace-nowrap">
                    <Badge {...STATE_TONES[invariant.state]}>{words.state(invariant)}</Badge>
                  </TableCell>
                  <TableCell isNumeric className="text-ink-2 max-sm:hidden">
                    {format.number(invariant.checked)}
                  </TableCell>
                  <TableCell isNumeric className="whitespace-nowrap pr-5 text-ink-2 max-sm:hidden">
                    {ago(invariant.ranAt)}
                  </TableCell>
                </TableRow>
              ))}
            </TableBody>
          </Table>
        </Card>
        <div className="grid grid-cols-1 gap-6">
          <Card>
            <CardHeader title={t("now")} />
            <Facts
              facts={[
                { name: t("oldestUnknown"), value: proof.oldestUnknownAt ? ago(proof.oldestUnknownAt) : t("none") },
                { name: t("orphanWatches"), value: format.number(proof.orphanWatches) },
                {
                  name: t("auditHead"),
                  value: proof.auditHead ? (
                    <code className="break-all font-mono text-xs">
                      {[format.number(proof.auditHead.position), proof.auditHead.hash].join(" · ")}
                    </code>
                  ) : (
                    t("none")
                  ),
                },
                {
                  name: t("release"),
                  value: (
                    <Link href="/proof" className="text-accent-ink underline underline-offset-2">
                      {t("releaseLink")}
                    </Link>
                  ),
                },
              ]}
            />
          </Card>
          {proof.breaks.length > 0 ? (
            <Card className="overflow-hidden">
              <CardHeader title={t("openViolations")} description={t("openViolationsText")} />
              <ul className="divide-y divide-line text-sm">
                {proof.breaks.map(({ invariant, object, id, foundAt }) => {
                  const place = PLACES[object];
                  return (
                    <li key={`${invariant} ${id}`} className="px-5 py-2.5">
                      <span className="mr-2 font-mono text-ink-3 text-xs">{invariant}</span>
                      {place ? (
                        <Link
                          href={`${place}/${id}`}
                          className="break-all font-mono text-accent-ink text-xs underline underline-offset-2"
                        >
                          {id}
                        </Link>
                      ) : (
                        <code className="break-all font-mono text-xs">{id}</code>
                      )}
                      <span className="block text-ink-3 text-xs">{ago(foundAt)}</span>
                    </li>
                  );
                })}
              </ul>
            </Card>
          ) : null}
        </div>
      </div>
    </>
  );
}
