import { useTranslations } from "next-intl";

interface EffectTextProps {
  effect: {
    payments: number;
    moved: number;
    unserved: number;
    providers: readonly { id: string; before: number; after: number }[];
  };
  providers: Readonly<Record<string, string>>;
  days: number;
}

/** What a change would have made of past payments, told before it is made. */
export function EffectText({
  effect: { payments, moved, unserved, providers: moves },
  providers,
  days,
}: EffectTextProps) {
  const t = useTranslations("flows");
  if (payments === 0) return <p className="text-ink-2 text-sm">{t("effectNone", { days })}</p>;
  if (moved === 0) return <p className="text-ink-2 text-sm">{t("effectSame", { payments })}</p>;
  return (
    <div className="grid gap-2 text-sm">
      <p className="text-ink">{t("effectMoved", { payments, moved })}</p>
      {unserved > 0 ? (
        <p className="rounded-md bg-warning-soft px-3 py-2 text-warning">{t("effectUnserved", { count: unserved })}</p>
      ) : null}
      <ul className="grid gap-0.5 text-ink-2">
        {moves.map(({ id, before, after }) => (
          <li key={id}>{t("effectProvider", { provider: providers[id] ?? t("unknownProvider"), before, after })}</li>
        ))}
      </ul>
    </div>
  );
}
