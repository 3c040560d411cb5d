import Link from "next/link";
import { getTranslations } from "next-intl/server";
import type { ListState } from "@/lib/charges/list-states";
import { isAntifraudKind } from "@/lib/providers/kinds";

interface FraudNoteProps {
  /** Of the account's providers. */
  kinds: readonly string[];
  states: readonly ListState[] | undefined;
  canceledHref: string;
}

/** Where declined payments are listed: what a bank approved and the fraud analysis declined then is not among them. */
export async function FraudNote({ kinds, states, canceledHref }: FraudNoteProps) {
  if (states?.join() !== "failed" || !kinds.some(isAntifraudKind)) return null;
  const t = await getTranslations("payments");
  return (
    <p className="border-line border-b bg-sunken px-5 py-2.5 text-ink-2 text-sm print:hidden">
      {t.rich("tabDeclinedNote", {
        canceled: (text) => (
          <Link href={canceledHref} className="rounded-sm text-accent-ink underline underline-offset-4">
            {text}
          </Link>
        ),
      })}
    </p>
  );
}
