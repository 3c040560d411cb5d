import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";

interface ChoiceRow {
  kind: string;
  name: string;
  onDashboard: boolean;
  byEmail: boolean;
  isAlwaysMailed: boolean;
  dashboardLabel: string;
  emailLabel: string;
}

interface ChoiceTableProps {
  caption: string;
  texts: Record<"kind" | "onDashboard" | "byEmail" | "always", string>;
  rows: readonly ChoiceRow[];
}

/** What somebody is told of, and how; the boxes of a form. */
export function ChoiceTable({ caption, texts, rows }: ChoiceTableProps) {
  return (
    <Table caption={caption}>
      <TableHead>
        <tr>
          <TableHeader>{texts.kind}</TableHeader>
          <TableHeader>{texts.onDashboard}</TableHeader>
          <TableHeader>{texts.byEmail}</TableHeader>
        </tr>
      </TableHead>
      <TableBody>
        {rows.map((row) => (
          <TableRow key={row.kind}>
            <TableCell className="whitespace-normal">{row.name}</TableCell>
            <TableCell>
              <Box name={`${row.kind}-dashboard`} label={row.dashboardLabel} isOn={row.onDashboard} />
            </TableCell>
            <TableCell>
              {row.isAlwaysMailed ? (
                <span className="text-ink-3">{texts.always}</span>
              ) : (
                <Box name={`${row.kind}-email`} label={row.emailLabel} isOn={row.byEmail} />
              )}
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

const Box = ({ name, label, isOn }: { name: string; label: string; isOn: boolean }) => (
  <span className="grid size-8 place-items-center">
    <input
      type="checkbox"
      name={name}
      value="yes"
      defaultChecked={isOn}
      aria-label={label}
      className="size-4.5 accent-(--accent)"
    />
  </span>
);
