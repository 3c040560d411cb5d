import { useTranslations } from "next-intl";
import { compared } from "@/components/flows/difference";
import { type Line, useFlowLines } from "@/components/flows/lines";
import type { FlowNames } from "@/components/flows/words";
import { classes } from "@/components/ui/classes";
import { Table, TableBody, TableHead, TableHeader } from "@/components/ui/table";
import type { FlowNodes } from "@/lib/flows/rules/nodes";

interface FlowDifferenceProps {
  caption: string;
  before: { title: string; root: FlowNodes };
  after: { title: string; root: FlowNodes };
  names: FlowNames;
}

/** Two versions side by side; a sign beside the colour says what only one of them has. */
export function FlowDifference({ caption, before, after, names }: FlowDifferenceProps) {
  const t = useTranslations("flows");
  const linesOf = useFlowLines(names);
  const rows = compared(linesOf(before.root), linesOf(after.root));
  const isSame = rows.every((row) => row.before?.text === row.after?.text);
  return (
    <>
      {isSame ? <p className="px-5 pt-4 text-ink-2 text-sm">{t("compareSame")}</p> : null}
      <Table caption={caption} className="table-fixed">
        <TableHead>
          <tr>
            <TableHeader className="pl-5">{before.title}</TableHeader>
            <TableHeader>{after.title}</TableHeader>
          </tr>
        </TableHead>
        <TableBody className="divide-y-0">
          {rows.map((row) => (
            <tr key={row.key} className="align-top">
              <Side
                line={row.before}
                isAlone={row.before?.text !== row.after?.text}
                mark="removed"
                text={t("compareRemoved")}
              />
              <Side
                line={row.after}
                isAlone={row.before?.text !== row.after?.text}
                mark="added"
                text={t("compareAdded")}
              />
            </tr>
          ))}
        </TableBody>
      </Table>
    </>
  );
}

const MARKS = {
  removed: { sign: "−", look: "bg-danger-soft text-danger" },
  added: { sign: "+", look: "bg-success-soft text-success" },
} as const;

interface SideProps {
  line: Line | undefined;
  isAlone: boolean;
  mark: keyof typeof MARKS;
  text: string;
}

function Side({ line, isAlone, mark, text }: SideProps) {
  const { sign, look } = MARKS[mark];
  return (
    <td className={classes("break-words px-3 py-1.5 text-ink text-sm", line && isAlone && look)}>
      {line ? (
        <span className="flex gap-2" style={{ paddingInlineStart: `${line.depth}rem` }}>
          <span aria-hidden className="w-3 shrink-0 select-none">
            {isAlone ? sign : ""}
          </span>
          {isAlone ? <span className="sr-only">{text}</span> : null}
          <span className="min-w-0">{line.text}</span>
        </span>
      ) : null}
    </td>
  );
}
