import { CopyButton } from "@/components/ui/copy-button";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";

interface TestCardsProps {
  title: string;
  text: string;
  columns: { number: string; outcome: string };
  cards: readonly { number: string; outcome: string; copyLabel: string }[];
}

const inGroups = (number: string): string => number.replace(/(\d{4})(?=\d)/g, "$1 ");

export function TestCards({ title, text, columns, cards }: TestCardsProps) {
  return (
    <div>
      <h3 className="font-semibold text-ink text-lg">{title}</h3>
      <p className="mt-1.5 text-ink-2">{text}</p>
      <div className="mt-4 overflow-hidden rounded-lg border border-line bg-surface">
        <Table caption={title}>
          <TableHead>
            <TableRow>
              <TableHeader>{columns.number}</TableHeader>
              <TableHeader>{columns.outcome}</TableHeader>
            </TableRow>
          </TableHead>
          <TableBody>
            {cards.map((card) => (
              <TableRow key={card.number}>
                <TableCell className="whitespace-nowrap py-1.5 pr-2 font-mono text-sm">
                  <span className="inline-flex items-center gap-1">
                    {inGroups(card.number)}
                    <CopyButton text={card.number} label={card.copyLabel} size="sm" className="px-2" />
                  </span>
                </TableCell>
                <TableCell className="py-1.5 text-ink-2">{card.outcome}</TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </div>
    </div>
  );
}
