import { CheckCircle2, type LucideIcon, MinusCircle, OctagonAlert, TriangleAlert } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { Card, CardHeader } from "@/components/ui/card";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";

export type HealthState = "healthy" | "degraded" | "failing" | "idle";

export interface ProviderHealthRow {
  name: string;
  state: { value: HealthState; text: string };
  attempts: string;
  approval: string;
  troubled: string;
  latency: string;
}

const LOOKS = {
  healthy: { icon: CheckCircle2, tone: "success" },
  degraded: { icon: TriangleAlert, tone: "warning" },
  failing: { icon: OctagonAlert, tone: "danger" },
  idle: { icon: MinusCircle, tone: "neutral" },
} as const satisfies Record<HealthState, { icon: LucideIcon; tone: string }>;

interface ProviderHealthProps {
  title: string;
  description: string;
  none: string;
  rows: readonly ProviderHealthRow[];
  texts: Record<"provider" | "state" | "attempts" | "approval" | "troubled" | "latency", string>;
}

export function ProviderHealthCard({ title, description, none, rows, texts }: ProviderHealthProps) {
  return (
    <Card className="overflow-hidden">
      <CardHeader title={title} description={description} />
      {rows.length === 0 ? (
        <p className="px-5 py-6 text-ink-3 text-sm">{none}</p>
      ) : (
        <Table caption={title}>
          <TableHead>
            <tr>
              <TableHeader className="pl-5">{texts.provider}</TableHeader>
              <TableHeader>{texts.state}</TableHeader>
              <TableHeader isNumeric>{texts.attempts}</TableHeader>
              <TableHeader isNumeric>{texts.approval}</TableHeader>
              <TableHeader isNumeric>{texts.troubled}</TableHeader>
              <TableHeader isNumeric className="pr-5">
                {texts.latency}
              </TableHeader>
            </tr>
          </TableHead>
          <TableBody>
            {rows.map(({ name, state, attempts, approval, troubled, latency }) => {
              const { icon, tone } = LOOKS[state.value];
              return (
                <TableRow key={name}>
                  <TableCell className="pl-5 font-medium">{name}</TableCell>
                  <TableCell>
                    <Badge tone={tone} icon={icon}>
                      {state.text}
                    </Badge>
                  </TableCell>
                  <TableCell isNumeric>{attempts}</TableCell>
                  <TableCell isNumeric>{approval}</TableCell>
                  <TableCell isNumeric>{troubled}</TableCell>
                  <TableCell isNumeric className="pr-5">
                    {latency}
                  </TableCell>
                </TableRow>
              );
            })}
          </TableBody>
        </Table>
      )}
    </Card>
  );
}
