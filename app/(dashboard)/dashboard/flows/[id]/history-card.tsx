import Link from "next/link";
import { getFormatter, getTranslations } from "next-intl/server";
import { auditWords } from "@/app/(dashboard)/dashboard/audit/words";
import { flowWords, LIST } from "@/app/(dashboard)/dashboard/flows/words";
import { Moment } from "@/components/dashboard/moment";
import { Badge } from "@/components/ui/badge";
import { Card, CardHeader } from "@/components/ui/card";
import { type Context, inSnapshot } from "@/lib/context";
import { sourcesOf } from "@/lib/flows/family";
import { type FlowChangeRow, type FlowRow, listChanges, versionOf } from "@/lib/flows/queries";
import { TALLIED_DAYS, type Tally } from "@/lib/flows/tally";

const MOST_SHOWN = 50;

export async function HistoryCard({ ctx, flow }: { ctx: Context; flow: FlowRow }) {
  const { items, sources } = await inSnapshot(ctx, async (inside) => {
    const changes = await listChanges(inside, flow.id, { page: 1, limit: MOST_SHOWN, order: "desc" });
    const restored = changes.items.filter(({ action }) => action === "restored").map(({ flowId }) => flowId);
    return { items: changes.items, sources: await sourcesOf(inside, restored) };
  });
  const [words, format, who] = await Promise.all([
    flowWords(),
    getFormatter(),
    auditWords(
      ctx,
      items.map(({ actor }) => actor),
    ),
  ]);
  const t = await getTranslations("flows");
  const told = ({ action, version, flowId }: Pick<FlowChangeRow, "action" | "version" | "flowId">): string => {
    const source = action === "restored" ? sources.get(flowId) : undefined;
    return source
      ? t("historyRestored", { source: versionOf(source), version })
      : t("historyEntry", { what: words.action(action), version });
  };
  return (
    <Card>
      <CardHeader title={t("history")} description={t("historyText")} />
      <ol className="divide-y divide-line">
        {items.map(({ id, actor, note, at, ...change }) => (
          <li key={id} className="grid gap-0.5 px-5 py-3 text-sm">
            <p className="flex flex-wrap justify-between gap-x-4">
              <span className="font-medium text-ink">{told(change)}</span>
              <span className="text-ink-3 text-xs">
                <Moment at={at} text={format.dateTime(at, { dateStyle: "medium", timeStyle: "short" })} />
              </span>
            </p>
            <p className="text-ink-2">{who.actor(actor)}</p>
            {note ? <p className="break-words text-ink-2 italic">{note}</p> : null}
          </li>
        ))}
      </ol>
    </Card>
  );
}

/** To another version of the same flow. */
export async function VersionLink({ version }: { version: Pick<FlowRow, "id" | "major" | "patch"> }) {
  const t = await getTranslations("flows");
  return (
    <Link href={`${LIST}/${version.id}`} className="text-accent-ink underline underline-offset-2">
      {t("versionOf", { version: versionOf(version) })}
    </Link>
  );
}

interface VersionsCardProps {
  flow: FlowRow;
  versions: readonly FlowRow[];
  active: FlowRow | undefined;
  tallies: ReadonlyMap<string, Tally>;
}

/** Each version with what the payments that it decided came to. */
export async function VersionsCard({ flow, versions, active, tallies }: VersionsCardProps) {
  const [words, format] = await Promise.all([flowWords(), getFormatter()]);
  const t = await getTranslations("flows");
  const tallied = ({ payments, approved }: Tally): string => {
    const rate = format.number(approved / payments, { style: "percent", maximumFractionDigits: 1 });
    return t("lineTally", { payments, rate });
  };
  return (
    <Card>
      <CardHeader title={t("versions")} description={t("talliedText", { days: TALLIED_DAYS })} />
      <ul className="divide-y divide-line">
        {versions.map((row) => {
          const status = words.status(row.status);
          const isHere = row.id === flow.id;
          const tally = tallies.get(row.id);
          return (
            <li key={row.id} className="flex flex-wrap items-center gap-2 px-5 py-2.5 text-sm">
              <Link
                href={`${LIST}/${row.id}`}
                aria-current={isHere ? "page" : undefined}
                className="mr-auto py-1 font-medium text-accent-ink underline underline-offset-2"
              >
                {t("versionOf", { version: versionOf(row) })}
              </Link>
              <Badge tone={status.tone}>{status.text}</Badge>
              {isHere ? null : (
                <Link
                  href={`${LIST}/${flow.id}/compare?with=${row.id}`}
                  className="py-1 text-accent-ink underline underline-offset-2"
                >
                  {row.id === active?.id ? t("compare") : t("compareWith")}
                </Link>
              )}
              {tally && tally.payments > 0 ? (
                <span className="w-full text-ink-3 text-xs tabular-nums">{tallied(tally)}</span>
              ) : null}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
