interface SummaryProps {
  items: readonly { name: string; value: string }[];
}

export function Summary({ items }: SummaryProps) {
  return (
    <dl className="mt-10 grid grid-cols-2 gap-x-6 gap-y-5 rounded-lg border border-line bg-surface px-5 py-5 shadow-sm lg:grid-cols-4">
      {items.map(({ name, value }) => (
        <div key={name} className="min-w-0">
          <dt className="text-ink-3 text-sm">{name}</dt>
          <dd className="mt-1 break-words font-semibold text-ink text-lg tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
