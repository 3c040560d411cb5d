import { getTranslations } from "next-intl/server";
import { issueDocumentAction } from "@/app/(dashboard)/dashboard/payments/[id]/actions";
import type { Words } from "@/app/(dashboard)/dashboard/payments/[id]/sentences";
import { exactText } from "@/app/(dashboard)/dashboard/payments/[id]/times";
import { TaskButton } from "@/components/tasks/task-button";
import { Card, CardHeader } from "@/components/ui/card";
import type { RefundDocumentType } from "@/db/schema/refund-documents";
import type { Context } from "@/lib/context";
import type { OperatorRole } from "@/lib/operators/sessions";
import { refundDocumentsView } from "@/lib/refund-documents/operators";

const TYPES = {
  receipt: "documentReceipt",
  cancellation_letter: "documentLetters",
} as const satisfies Record<RefundDocumentType, string>;
const ISSUE = {
  receipt: "documentIssueReceipt",
  cancellation_letter: "documentIssueLetters",
} as const satisfies Record<RefundDocumentType, string>;

interface DocumentsCardProps {
  ctx: Context;
  role: OperatorRole;
  chargeId: string;
  words: Words;
}

/** What a buyer's bank or the buyer asks for after a refund: one receipt of all of them, and a letter for each. */
export async function DocumentsCard({ ctx, role, chargeId, words }: DocumentsCardProps) {
  const [t, view] = await Promise.all([getTranslations("payments"), refundDocumentsView(ctx, role, chargeId)]);
  if (!view) return null;
  return (
    <Card className="overflow-hidden">
      <CardHeader title={t("documents")} description={t("documentsText", { count: view.refundCount })} />
      {view.items.length === 0 ? null : (
        <ul className="divide-y divide-line border-line border-t text-sm">
          {view.items.map(({ id, type, format, refundCount, issuedAt, url }) => (
            <li key={id} className="grid gap-0.5 px-5 py-3">
              <a href={url} className="text-accent-ink underline underline-offset-2">
                {t(TYPES[type], { count: refundCount })}
              </a>
              <span className="text-ink-3 text-xs">
                {t("documentFormat", { format: format.toUpperCase(), at: exactText(words, issuedAt) })}
              </span>
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap gap-2 border-line border-t px-5 py-4">
        {view.types.map((type) => (
          <TaskButton
            key={type}
            text={t(ISSUE[type], { count: view.refundCount })}
            hidden={{ id: chargeId, type }}
            onAct={issueDocumentAction}
            size="sm"
          />
        ))}
      </div>
    </Card>
  );
}
