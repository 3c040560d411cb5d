import { ArrowRight, CircleCheck, CircleDashed, CircleMinus } from "lucide-react";
import Link from "next/link";
import { placeOf } from "@/app/(dashboard)/dashboard/going-live/places";
import { checkWords } from "@/app/(dashboard)/dashboard/going-live/words";
import { Badge } from "@/components/ui/badge";
import { Card, CardHeader } from "@/components/ui/card";
import type { Check } from "@/lib/going-live/check";
import type { OperatorRole } from "@/lib/operators/sessions";

const LOOKS = {
  done: { tone: "success", icon: CircleCheck },
  todo: { tone: "warning", icon: CircleDashed },
  none: { tone: "neutral", icon: CircleMinus },
} as const;

interface CheckListProps {
  title: string;
  checks: readonly Check[];
  reader: { role: OperatorRole; mode: "sandbox" | "live"; merchantId?: string };
}

/** Items of one kind: what was found, why it matters, and the way to where it is settled. */
export async function CheckList({ title, checks, reader }: CheckListProps) {
  if (checks.length === 0) return null;
  const words = await checkWords();
  return (
    <Card className="overflow-hidden">
      <CardHeader title={title} />
      <ul className="divide-y divide-line">
        {checks.map((check) => {
          const href = check.state === "none" ? undefined : placeOf(check, reader);
          const go = words.go(check);
          return (
            <li key={`${check.name} ${check.provider?.id ?? ""}`} className="grid gap-1 px-5 py-3.5 text-sm">
              <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
                <h3 className="min-w-0 break-words font-medium text-ink">{words.title(check)}</h3>
                <Badge {...LOOKS[check.state]}>{words.state(check)}</Badge>
              </div>
              <p className="max-w-2xl break-words text-ink-2">{words.detail(check)}</p>
              <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
                <p className="max-w-2xl text-ink-3 text-xs">{words.why(check)}</p>
                {href && go ? (
                  <Link
                    href={href}
                    className="inline-flex min-h-6 items-center gap-1 text-accent-ink underline underline-offset-2 max-sm:min-h-11"
                  >
                    {go}
                    <ArrowRight aria-hidden className="size-3.5" />
                  </Link>
                ) : null}
              </div>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
