"use client";

import { useEffect, useId, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { classes } from "@/components/ui/classes";
import { Input, inputLook } from "@/components/ui/input";

export interface SplitEditorTexts {
  legend: string;
  hint: string;
  seller: string;
  nobody: string;
  percentage: string;
  add: string;
  /** With {sellers} and {merchant}: what each side gets, in per cent. */
  sum: string;
  over: string;
  merchantFirst: string;
}

export interface SharingSeller {
  id: string;
  name: string;
  merchantId: string;
}

/** Only a payment's own merchant can share it; undefined where the form does not ask for one. */
export const sellersOf = (
  sellers: readonly SharingSeller[],
  merchantId: string | undefined,
): readonly SharingSeller[] =>
  merchantId === undefined ? sellers : sellers.filter((seller) => seller.merchantId === merchantId);

interface SplitEditorProps {
  sellers: readonly SharingSeller[];
  locale: string;
  texts: SplitEditorTexts;
  /** What is shared already; percentages as people write them. */
  initial?: readonly { seller: string; percentage: string }[];
}

const MOST_ROWS = 100;
const WHOLE = 10_000;

/** Hundredths of what is typed, with either decimal mark; what cannot be read counts nothing yet. */
const bpsOf = (typed: string): number => {
  const value = Number(typed.trim().replace(",", "."));
  return Number.isFinite(value) && value > 0 ? Math.round(value * 100) : 0;
};

/** Who shares each payment of the link, in per cent; the sum follows what is typed. */
export function SplitEditor({ sellers, locale, texts, initial = [] }: SplitEditorProps) {
  const [rows, setRows] = useState(
    (initial.length > 0 ? initial : [{ seller: "", percentage: "" }]).map((row, key) => ({ key, ...row })),
  );
  const id = useId();
  const fieldset = useRef<HTMLFieldSetElement>(null);
  const [merchant, setMerchant] = useState<string>();
  useEffect(() => {
    const form = fieldset.current?.form;
    const choice = form?.elements.namedItem("merchantId");
    if (!form || !(choice instanceof HTMLSelectElement)) return;
    const follow = () => {
      setMerchant(choice.value);
      const offered = new Set(sellersOf(sellers, choice.value).map((seller) => seller.id));
      setRows((shown) => shown.map((row) => (offered.has(row.seller) ? row : { ...row, seller: "" })));
    };
    follow();
    choice.addEventListener("change", follow);
    return () => choice.removeEventListener("change", follow);
  }, [sellers]);
  const offered = sellersOf(sellers, merchant);
  const percent = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
  const shown = (bps: number): string => percent.format(bps / 100);
  const change = (key: number, part: Partial<(typeof rows)[number]>) =>
    setRows(rows.map((row) => (row.key === key ? { ...row, ...part } : row)));
  const sum = rows.reduce((all, { seller, percentage }) => all + (seller ? bpsOf(percentage) : 0), 0);
  return (
    <fieldset ref={fieldset} className="grid gap-2" aria-describedby={`${id}-hint`}>
      <legend className="mb-1 font-medium text-ink text-sm">{texts.legend}</legend>
      <p id={`${id}-hint`} className="text-ink-2 text-sm">
        {merchant === "" ? texts.merchantFirst : texts.hint}
      </p>
      {rows.map(({ key, seller, percentage }) => (
        <div key={key} className="grid grid-cols-[minmax(0,1fr)_6.5rem] gap-2">
          <select
            name="split.seller"
            aria-label={texts.seller}
            value={seller}
            onChange={({ currentTarget }) => change(key, { seller: currentTarget.value })}
            className={classes(inputLook, "h-11 pr-2 sm:h-10")}
          >
            <option value="">{texts.nobody}</option>
            {offered.map((each) => (
              <option key={each.id} value={each.id}>
                {each.name}
              </option>
            ))}
          </select>
          <Input
            name="split.percentage"
            aria-label={texts.percentage}
            inputMode="decimal"
            autoComplete="off"
            value={percentage}
            onChange={({ currentTarget }) => change(key, { percentage: currentTarget.value })}
            className="h-11 text-right sm:h-10"
          />
        </div>
      ))}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <output className={classes("text-sm tabular-nums", sum > WHOLE ? "text-danger" : "text-ink-2")}>
          {sum > WHOLE
            ? texts.over
            : texts.sum.replace("{sellers}", shown(sum)).replace("{merchant}", shown(WHOLE - sum))}
        </output>
        {rows.length < Math.min(MOST_ROWS, offered.length) ? (
          <Button
            type="button"
            size="sm"
            onClick={() => setRows([...rows, { key: rows.length, seller: "", percentage: "" }])}
          >
            {texts.add}
          </Button>
        ) : null}
      </div>
    </fieldset>
  );
}
