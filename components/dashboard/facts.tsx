import type { ReactNode } from "react";

export interface Fact {
  name: string;
  value: ReactNode;
}

export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="grid gap-3 px-5 py-4 text-sm">
      {facts.map(({ name, value }, index) => (
        // A shop's own metadata may be called like a fact of ours.
        // biome-ignore lint/suspicious/noArrayIndexKey: facts are known by their places
        <div key={index} className="grid grid-cols-[7.5rem_minmax(0,1fr)] gap-3">
          <dt className="text-ink-2">{name}</dt>
          <dd className="break-words text-ink">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
