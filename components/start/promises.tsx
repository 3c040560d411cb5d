import type { LucideIcon } from "lucide-react";

interface PromisesProps {
  title: string;
  text: string;
  promises: readonly { icon: LucideIcon; title: string; text: string }[];
}

export function Promises({ title, text, promises }: PromisesProps) {
  return (
    <section className="border-line border-y bg-surface">
      <div className="mx-auto max-w-6xl px-5 py-20 sm:px-8 sm:py-24">
        <div className="max-w-2xl">
          <h2 className="font-semibold text-3xl text-ink">{title}</h2>
          <p className="mt-4 text-ink-2 text-lg">{text}</p>
        </div>
        <ul className="mt-12 grid gap-px overflow-hidden rounded-xl border border-line bg-line sm:grid-cols-2 lg:grid-cols-3">
          {promises.map(({ icon: Icon, ...promise }) => (
            <li key={promise.title} className="bg-surface p-6 sm:p-7">
              <span className="grid size-10 place-items-center rounded-lg bg-accent-soft text-accent-ink">
                <Icon aria-hidden className="size-5" />
              </span>
              <h3 className="mt-5 font-semibold text-ink text-lg">{promise.title}</h3>
              <p className="mt-2 text-ink-2">{promise.text}</p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
