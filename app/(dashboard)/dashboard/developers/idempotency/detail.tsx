import { getFormatter, getTranslations } from "next-intl/server";
import { DataList } from "@/components/dashboard/data-list";
import { Facts } from "@/components/dashboard/facts";
import { HttpStatus } from "@/components/dashboard/request-list";
import { Badge } from "@/components/ui/badge";
import { Card, CardHeader } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import type { CallKind, KeyStory } from "@/lib/request-logs/keys";

const KIND_TEXTS = {
  first: "callFirst",
  repeat: "callRepeat",
  mismatch: "callMismatch",
  other: "callOther",
} as const satisfies Record<CallKind, string>;
const KIND_TONES = { first: "success", repeat: "info", mismatch: "danger", other: "neutral" } as const;

/** What one key stands for: its first request, the answer that is kept, and every call that used it since. */
export async function KeyDetail({ story: { row, bytes, calls, first } }: { story: KeyStory }) {
  const t = await getTranslations("requests");
  const format = await getFormatter();
  const date = (at: Date) => format.dateTime(at, { dateStyle: "medium", timeStyle: "medium" });
  const count = (kind: CallKind) => format.number(calls.filter((call) => call.kind === kind).length);
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_21rem]">
      <div className="grid min-w-0 grid-cols-1 gap-6">
        <Card className="overflow-hidden">
          <CardHeader title={t("callsTitle")} description={t("callsText")} />
          <DataList
            caption={t("callsTitle")}
            columns={[
              { key: "kind", title: t("callKind") },
              { key: "request", title: t("columnRequest") },
              { key: "status", title: t("columnStatus") },
              { key: "date", title: t("columnDate"), isNumeric: true },
            ]}
            rows={calls.map((call) => ({
              id: call.id,
              href: `/dashboard/developers/requests/${call.id}`,
              cells: [
                <Badge key="kind" tone={KIND_TONES[call.kind]}>
                  {t(KIND_TEXTS[call.kind])}
                </Badge>,
                `${call.method} ${call.path}`,
                <HttpStatus key="status" status={call.status} />,
                date(call.createdAt),
              ],
            }))}
          />
        </Card>
        {first?.requestBody ? (
          <CodeBlock
            title={t("requestBody")}
            code={JSON.stringify(first.requestBody, null, 2)}
            copyLabel={t("copyRequest")}
          />
        ) : null}
        {first?.responseBody ? (
          <CodeBlock
            title={t("keyAnswer")}
            code={JSON.stringify(first.responseBody, null, 2)}
            copyLabel={t("copyResponse")}
          />
        ) : null}
      </div>
      <Card>
        <CardHeader title={t("keyTitle")} />
        <Facts
          facts={[
            { name: t("factKey"), value: <span className="break-all font-mono text-xs">{row.key}</span> },
            { name: t("columnRequest"), value: `${row.method} ${row.path}` },
            { name: t("factDate"), value: date(row.createdAt) },
            {
              name: t("keyAnswer"),
              value: row.status === null ? t("keyOpen") : t("keyStored", { status: row.status, bytes: bytes ?? 0 }),
            },
            { name: t("callRepeat"), value: count("repeat") },
            { name: t("callMismatch"), value: count("mismatch") },
          ]}
        />
      </Card>
    </div>
  );
}
