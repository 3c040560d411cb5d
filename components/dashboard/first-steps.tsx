import type { ReactNode } from "react";
import { Card, CardHeader } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";

interface FirstStepsProps {
  title: string;
  description: string;
  copyLabel: string;
  steps: readonly { title: string; text: ReactNode; code: string }[];
}

/** What the home page teaches while there is nothing to show yet. */
export function FirstSteps({ title, description, copyLabel, steps }: FirstStepsProps) {
  return (
    <Card className="overflow-hidden">
      <CardHeader title={title} description={description} />
      <ol>
        {steps.map((step, index) => (
          <li key={step.title} className="relative grid grid-cols-[1.750rem_minmax(0,1fr)] gap-x-4 px-5 pt-5 last:pb-6">
            {index < steps.length - 1 ? (
              <span aria-hidden className="absolute top-12 bottom-[-1.250rem] left-[2.125rem] w-px bg-line-strong" />
            ) : null}
            <span
              aria-hidden
              className="relative grid size-7 place-items-center rounded-full border-2 border-accent bg-surface font-semibold text-accent-ink text-xs"
            >
              {index + 1}
            </span>
            <div className="pb-2">
              <h3 className="pt-0.5 font-medium text-ink">{step.title}</h3>
              <p className="mt-1 mb-3 text-ink-2 text-sm">{step.text}</p>
              <CodeBlock title="bash" code={step.code} copyLabel={copyLabel} />
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}
