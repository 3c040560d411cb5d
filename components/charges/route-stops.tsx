import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge";

export interface ShownStop {
  id: string;
  name: string;
  kind: string;
  /** Why nothing was asked of it, where that is to be said. */
  note?: string | undefined;
  state: { text: string; tone: "success" | "danger" | "warning" | "info" | "neutral" };
}

interface RouteStopsProps {
  stops: readonly ShownStop[];
  text: string;
  /** The flow that led here. */
  children?: ReactNode;
}

export function RouteStops({ stops, text, children }: RouteStopsProps) {
  return (
    <div className="px-5 py-4">
      <p className="mb-3 text-ink-2 text-sm">{text}</p>
      {children}
      <ol className="grid grid-cols-1 gap-2">
        {stops.map(({ id, name, kind, note, state }, index) => (
          <li key={id} className="flex items-center gap-3 rounded-md border border-line px-3 py-2.5">
            <span aria-hidden className="text-ink-3 text-xs tabular-nums">
              {index + 1}
            </span>
            <span className="min-w-0 flex-1">
              <span className="block truncate font-medium text-ink text-sm">{name}</span>
              <span className="block truncate text-ink-3 text-xs">{kind}</span>
              {note ? <span className="mt-0.5 block text-ink-2 text-xs">{note}</span> : null}
            </span>
            <Badge tone={state.tone}>{state.text}</Badge>
          </li>
        ))}
      </ol>
    </div>
  );
}
