import { CircleCheck, CircleDashed, CircleX } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { Card, CardBody, CardHeader } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";

const ICONS = { success: CircleCheck, warning: CircleDashed, danger: CircleX } as const;

interface PartCardProps {
  title: string;
  text: string | undefined;
  badge: { tone: keyof typeof ICONS; text: string };
  facts: readonly { name: string; value: string }[];
  notes: readonly string[];
  violations: readonly string[];
  /** Names that were met, folded away. */
  met: readonly { name: string; values: readonly string[] }[];
  command: { title: string; code: string; copyLabel: string };
}

/** One proof: what was asked, what ran, and how to run it again. */
export function PartCard({ title, text, badge, facts, notes, violations, met, command }: PartCardProps) {
  return (
    <Card>
      <CardHeader
        title={title}
        description={text}
        actions={
          <Badge tone={badge.tone} icon={ICONS[badge.tone]}>
            {badge.text}
          </Badge>
        }
      />
      <CardBody className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
        <div className="min-w-0">
          <dl className="grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-3">
            {facts.map(({ name, value }) => (
              <div key={name} className="min-w-0">
                <dt className="text-ink-3 text-xs">{name}</dt>
                <dd className="mt-0.5 break-words text-ink text-sm tabular-nums">{value}</dd>
              </div>
            ))}
          </dl>
          {notes.map((note) => (
            <p key={note} className="mt-4 text-ink-2 text-sm">
              {note}
            </p>
          ))}
        </div>
        <div className="grid min-w-0 content-start gap-4">
          <CodeBlock title={command.title} code={command.code} copyLabel={command.copyLabel} />
          {met.map(({ name, values }) => (
            <details key={name} className="rounded-md border border-line px-4 py-2.5 text-sm">
              <summary className="cursor-pointer text-ink-2">{name}</summary>
              <ul className="mt-2 max-h-64 overflow-y-auto text-ink-2 text-xs leading-6">
                {values.map((value) => (
                  <li key={value} className="break-words">
                    {value}
                  </li>
                ))}
              </ul>
            </details>
          ))}
        </div>
        {violations.length > 0 ? (
          <ul className="min-w-0 rounded-md bg-danger-soft px-4 py-3 text-danger text-sm lg:col-span-2">
            {violations.map((violation) => (
              <li key={violation} className="break-words">
                {violation}
              </li>
            ))}
          </ul>
        ) : null}
      </CardBody>
    </Card>
  );
}
