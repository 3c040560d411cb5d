import { Check, TriangleAlert } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { PASSED_BY_ALL, useFlowLines } from "@/components/flows/lines";
import type { FlowNames } from "@/components/flows/words";
import { Badge } from "@/components/ui/badge";
import { classes } from "@/components/ui/classes";
import type { FlowNodes } from "@/lib/flows/rules/nodes";

interface FlowLinesProps {
  root: FlowNodes;
  names: FlowNames;
  /** Entries of a decision's path: the lines that it took. */
  taken?: readonly string[] | undefined;
  /** What the payments that passed a branch came to, by entry. */
  tallies?: Readonly<Record<string, { payments: number; approved: number }>> | undefined;
}

/** A flow in sentences. */
export function FlowLines({ root, names, taken, tallies }: FlowLinesProps) {
  const t = useTranslations("flows");
  const linesOf = useFlowLines(names);
  const format = useFormatter();
  const passed = new Set(taken && [...taken, PASSED_BY_ALL]);
  return (
    <ul className="grid gap-1 px-5 py-4 text-sm">
      {linesOf(root).map(({ key, depth, text, entry, isBranch, isUnrouted }) => {
        const isTaken = entry !== undefined && passed.has(entry);
        const tally = entry === undefined || !isBranch ? undefined : tallies?.[entry];
        return (
          <li
            key={key}
            style={{ marginInlineStart: `${depth * 1.25}rem` }}
            className={classes(
              "flex flex-wrap items-baseline gap-x-3 gap-y-1 border-line-strong border-l-2 py-1 pl-3 text-ink",
              taken && !isTaken && "text-ink-3",
              isTaken && "border-accent bg-accent-soft",
            )}
          >
            <span className="min-w-0 break-words">{text}</span>
            {isUnrouted ? (
              <Badge tone="warning" icon={TriangleAlert}>
                {t("noProvider")}
              </Badge>
            ) : null}
            {isTaken ? (
              <Badge tone="info" icon={Check}>
                {t("passed")}
              </Badge>
            ) : null}
            {tally ? (
              <span className="text-ink-3 text-xs tabular-nums">
                {t("lineTally", {
                  payments: tally.payments,
                  rate: format.number(tally.payments === 0 ? 0 : tally.approved / tally.payments, {
                    style: "percent",
                    maximumFractionDigits: 1,
                  }),
                })}
              </span>
            ) : null}
          </li>
        );
      })}
    </ul>
  );
}
