/** What an action would do, in finished words. */
export interface ShownPlan {
  hash: string;
  rows: readonly { name: string; value: string }[];
  /** What it would be refused with. */
  problem?: string | undefined;
  /** For developers: entries in the books and events. */
  machine: readonly string[];
}

interface PlanFactsProps {
  plan: ShownPlan;
  texts: { title: string; machine: string };
}

export function PlanFacts({ plan, texts }: PlanFactsProps) {
  if (!plan.problem && plan.rows.length + plan.machine.length === 0) return null;
  return (
    <section aria-label={texts.title} className="grid gap-2 rounded-md bg-sunken px-4 py-3 text-sm">
      <h3 className="font-medium text-ink-2 text-xs">{texts.title}</h3>
      {plan.problem ? (
        <p className="text-danger">{plan.problem}</p>
      ) : (
        <dl className="grid gap-1">
          {plan.rows.map(({ name, value }, index) => (
            // Two sellers may have one name.
            // biome-ignore lint/suspicious/noArrayIndexKey: rows are known by their places
            <div key={index} className="flex flex-wrap justify-between gap-x-4">
              <dt className="text-ink-2">{name}</dt>
              <dd className="text-right text-ink tabular-nums">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {plan.machine.length > 0 ? (
        <details className="text-ink-2 text-xs">
          <summary className="min-h-6 cursor-pointer rounded-sm">{texts.machine}</summary>
          <ul className="grid gap-0.5 pt-1 font-mono">
            {plan.machine.map((line, index) => (
              // Two entries of a plan may read the same.
              // biome-ignore lint/suspicious/noArrayIndexKey: lines never move
              <li key={index} className="break-words">
                {line}
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </section>
  );
}
