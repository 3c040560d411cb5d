"use client";

import { ArrowDown, ArrowUp, GripVertical, Plus, X } from "lucide-react";
import { useState } from "react";
import { useUnsaved } from "@/components/dashboard/unsaved";
import { Button } from "@/components/ui/button";

export interface PickedColumn {
  id: string;
  label: string;
}

interface ColumnPickerProps {
  columns: readonly PickedColumn[];
  initial: readonly string[];
  texts: { chosen: string; others: string; add: string; addAll: string; up: string; down: string; remove: string };
}

/** The columns in their order: by buttons and keys, or drawn with the mouse; sent as `fields`, one after the other. */
export function ColumnPicker({ columns, initial, texts }: ColumnPickerProps) {
  const [chosen, setChosen] = useState<readonly string[]>(initial);
  const [drawn, setDrawn] = useState<string>();
  useUnsaved(chosen.join() !== initial.join());
  const labelOf = (id: string): string => columns.find((column) => column.id === id)?.label ?? id;
  const left = columns.filter(({ id }) => !chosen.includes(id));
  const put = (id: string, place: number): void => {
    const others = chosen.filter((other) => other !== id);
    setChosen([...others.slice(0, place), id, ...others.slice(place)]);
  };
  return (
    <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
      <section aria-label={texts.chosen}>
        <h3 className="mb-1.5 font-medium text-ink text-sm">{texts.chosen}</h3>
        <ol className="divide-y divide-line rounded-md border border-line sm:max-h-80 sm:overflow-y-auto">
          {chosen.map((id, place) => (
            <li
              key={id}
              draggable
              onDragStart={() => setDrawn(id)}
              onDragOver={(event) => event.preventDefault()}
              onDrop={() => drawn && put(drawn, place)}
              className="flex items-center gap-1 py-1 pr-1 pl-2 text-sm"
            >
              <input type="hidden" name="fields" value={id} />
              <GripVertical aria-hidden className="size-4 shrink-0 cursor-grab text-ink-3" />
              <span className="mr-auto min-w-0 break-words text-ink first-letter:uppercase" title={id}>
                {labelOf(id)}
              </span>
              <Button
                type="button"
                size="icon"
                tone="quiet"
                disabled={place === 0}
                aria-label={`${texts.up}: ${labelOf(id)}`}
                onClick={() => put(id, place - 1)}
              >
                <ArrowUp aria-hidden />
              </Button>
              <Button
                type="button"
                size="icon"
                tone="quiet"
                disabled={place === chosen.length - 1}
                aria-label={`${texts.down}: ${labelOf(id)}`}
                onClick={() => put(id, place + 1)}
              >
                <ArrowDown aria-hidden />
              </Button>
              <Button
                type="button"
                size="icon"
                tone="quiet"
                disabled={chosen.length === 1}
                aria-label={`${texts.remove}: ${labelOf(id)}`}
                onClick={() => setChosen(chosen.filter((other) => other !== id))}
              >
                <X aria-hidden />
              </Button>
            </li>
          ))}
        </ol>
      </section>
      <section aria-label={texts.others} className={left.length === 0 ? "hidden" : undefined}>
        <div className="mb-1.5 flex items-baseline justify-between gap-2">
          <h3 className="font-medium text-ink text-sm">{texts.others}</h3>
          {left.length > 0 ? (
            <button
              type="button"
              className="text-accent-ink text-sm underline"
              onClick={() => setChosen([...chosen, ...left.map(({ id }) => id)])}
            >
              {texts.addAll}
            </button>
          ) : null}
        </div>
        <ul className="divide-y divide-line rounded-md border border-line empty:hidden sm:max-h-80 sm:overflow-y-auto">
          {left.map(({ id, label }) => (
            <li key={id} className="flex items-center gap-1 py-1 pr-1 pl-3 text-sm">
              <span className="mr-auto min-w-0 break-words text-ink-2 first-letter:uppercase" title={id}>
                {label}
              </span>
              <Button
                type="button"
                size="icon"
                tone="quiet"
                aria-label={`${texts.add}: ${label}`}
                onClick={() => setChosen([...chosen, id])}
              >
                <Plus aria-hidden />
              </Button>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}
