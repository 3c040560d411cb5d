import { getFormatter, getTranslations } from "next-intl/server";
import { Card, CardBody, CardHeader } from "@/components/ui/card";
import type { Context } from "@/lib/context";
import type { WatchedWindow } from "@/lib/monitors/metrics";
import { rehearse } from "@/lib/monitors/rehearsal";
import type { OperatorRole } from "@/lib/operators/sessions";

/** What the monitor would have done in the last seven days. */
export async function RehearsalCard({ ctx, role, watch }: { ctx: Context; role: OperatorRole; watch: WatchedWindow }) {
  const [t, format, { fired, moments, judged, windows }] = await Promise.all([
    getTranslations("alerts"),
    getFormatter(),
    rehearse(ctx, role, watch),
  ]);
  return (
    <Card>
      <CardHeader title={t("testTitle")} description={t("testText", { judged, windows })} />
      <CardBody>
        <p role="status" className="font-medium text-ink">
          {judged === 0 ? t("testLittle") : t("testFired", { fired })}
        </p>
        {moments.length > 0 ? (
          <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-ink-2 text-sm tabular-nums">
            {moments.map((at) => (
              <li key={at.toISOString()}>{format.dateTime(at, { dateStyle: "medium", timeStyle: "short" })}</li>
            ))}
          </ul>
        ) : null}
      </CardBody>
    </Card>
  );
}
