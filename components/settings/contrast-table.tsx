import { Check } from "lucide-react";
import { type BrandColour, type BrandColours, type Scheme, usedColours } from "@/lib/branding/palette";

export interface ContrastTexts {
  title: string;
  text: string;
  colour: string;
  yours: string;
  light: string;
  dark: string;
  forced: string;
  system: string;
  notSet: string;
  ratio: string;
  adjusted: string;
  names: Readonly<Record<BrandColour, string>>;
}

interface ContrastTableProps {
  colours: BrandColours;
  schemes: readonly Scheme[];
  texts: ContrastTexts;
  /** One digit behind the comma, as the reader writes it. */
  format: (ratio: number) => string;
}

/** Your colour → the colour used, with what it reaches. */
export function ContrastTable({ colours, schemes, texts, format }: ContrastTableProps) {
  const used = schemes.map((scheme) => [scheme, usedColours(colours, scheme)] as const);
  const rows = used[0]?.[1] ?? [];
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface shadow-sm">
      <div className="border-line border-b px-5 py-4">
        <h2 className="font-semibold text-base text-ink">{texts.title}</h2>
        <p className="mt-0.5 text-ink-2 text-sm">{texts.text}</p>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keyboard */}
      <section className="overflow-x-auto" tabIndex={0} aria-label={texts.title}>
        <table className="w-full text-left text-sm">
          <thead>
            <tr className="border-line border-b text-ink-2 text-xs">
              <th className="py-2.5 pr-3 pl-5 font-medium">{texts.colour}</th>
              <th className="py-2.5 pr-3 font-medium">{texts.yours}</th>
              {used.map(([scheme]) => (
                <th key={scheme} className="py-2.5 pr-3 font-medium">
                  {texts[scheme]}
                </th>
              ))}
              <th className="py-2.5 pr-5 font-medium">{texts.forced}</th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {rows.map(({ field, asked }, index) => (
              <tr key={field}>
                <th scope="row" className="py-2.5 pr-3 pl-5 font-normal text-ink">
                  {texts.names[field]}
                </th>
                <td className="py-2.5 pr-3">
                  {asked ? <Swatch colour={asked} /> : <span className="text-ink-3">{texts.notSet}</span>}
                </td>
                {used.map(([scheme, all]) => {
                  const found = all[index];
                  return found ? (
                    <td key={scheme} className="py-2.5 pr-3">
                      <Swatch colour={found.used} />
                      <span className="mt-0.5 flex items-center gap-1 whitespace-nowrap text-ink-2 text-xs tabular-nums">
                        <Check aria-hidden className="size-3.5 text-success" />
                        {texts.ratio.replace("{ratio}", format(found.ratio)).replace("{needed}", format(found.needed))}
                      </span>
                      {found.isChanged ? (
                        <span className="block whitespace-nowrap text-warning text-xs">{texts.adjusted}</span>
                      ) : null}
                    </td>
                  ) : null;
                })}
                <td className="py-2.5 pr-5 text-ink-2">{texts.system}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}

function Swatch({ colour }: { colour: string }) {
  return (
    <span className="flex items-center gap-2 whitespace-nowrap font-mono text-ink text-xs">
      <span aria-hidden className="size-5 rounded-sm ring-1 ring-control" style={{ backgroundColor: colour }} />
      {colour}
    </span>
  );
}
