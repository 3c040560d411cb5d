import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";

export interface ShownJournal {
  id: string;
  title: string;
  at: string;
  lines: readonly { account: string; amount: string }[];
}

interface LedgerTableProps {
  journals: readonly ShownJournal[];
  texts: { caption: string; entry: string; account: string; amount: string; empty: string };
}

export function LedgerTable({ journals, texts }: LedgerTableProps) {
  if (journals.length === 0) return <p className="px-5 py-4 text-ink-2 text-sm">{texts.empty}</p>;
  return (
    <Table caption={texts.caption}>
      <TableHead>
        <tr>
          <TableHeader className="pl-5 max-sm:pr-2">{texts.entry}</TableHeader>
          <TableHeader className="max-sm:px-2">{texts.account}</TableHeader>
          <TableHeader isNumeric className="pr-5 max-sm:pl-2">
            {texts.amount}
          </TableHeader>
        </tr>
      </TableHead>
      <TableBody>
        {journals.flatMap(({ id, title, at, lines }) =>
          lines.map(({ account, amount }, index) => (
            // Two sellers of one payment move accounts of one name.
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of a journal never move
            <TableRow key={`${id} ${index}`}>
              {index === 0 ? (
                <TableCell rowSpan={lines.length} className="pl-5 align-top max-sm:pr-2">
                  <span className="block font-medium">{title}</span>
                  <span className="block text-ink-3 text-xs tabular-nums sm:whitespace-nowrap">{at}</span>
                </TableCell>
              ) : null}
              <TableCell className="py-2 text-ink-2 max-sm:px-2">{account}</TableCell>
              <TableCell isNumeric className="whitespace-nowrap py-2 pr-5 max-sm:pl-2">
                {amount}
              </TableCell>
            </TableRow>
          )),
        )}
      </TableBody>
    </Table>
  );
}
