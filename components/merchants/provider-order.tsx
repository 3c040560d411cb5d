"use client";

import { ArrowDown, ArrowUp, GripVertical } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useUnsaved } from "@/components/dashboard/unsaved";
import type { TaskAction, TaskState } from "@/components/tasks/task-form";
import { useKeptForm } from "@/components/tasks/use-kept-form";
import { Button } from "@/components/ui/button";
import { classes } from "@/components/ui/classes";

export interface OrderedProvider {
  id: string;
  name: string;
  detail: string;
  badge: ReactNode;
  actions: ReactNode;
  /** In words, with the name. */
  up: string;
  down: string;
}

interface ProviderOrderProps {
  merchantId: string;
  providers: readonly OrderedProvider[];
  onOrder: TaskAction | undefined;
  texts: { save: string; list: string; moved: string };
}

const stays = async (before: TaskState): Promise<TaskState> => before;

/** Dragged by its grip or moved by its arrows; nothing changes before it is saved. */
export function ProviderOrder({ merchantId, providers, onOrder, texts }: ProviderOrderProps) {
  const stored = providers.map(({ id }) => id);
  const [order, setOrder] = useState(stored);
  const [dragged, setDragged] = useState<string>();
  const [said, setSaid] = useState("");
  const [state, form, isBusy] = useKeptForm(onOrder ?? stays);
  const known = order.length === stored.length && stored.every((id) => order.includes(id)) ? order : stored;
  const isChanged = known.join() !== stored.join();
  useUnsaved(isChanged && !isBusy);
  const move = (id: string, to: number) => {
    const others = known.filter((each) => each !== id);
    others.splice(Math.max(0, Math.min(to, others.length)), 0, id);
    setOrder(others);
    const name = providers.find((provider) => provider.id === id)?.name ?? "";
    const place = String(others.indexOf(id) + 1);
    setSaid(texts.moved.replace("{name}", name).replace("{place}", place).replace("{count}", String(others.length)));
  };
  return (
    <>
      <ol aria-label={texts.list} className="divide-y divide-line">
        {known.map((id, index) => {
          const provider = providers.find((each) => each.id === id);
          if (!provider) return null;
          return (
            <li
              key={id}
              id={`provider-${id}`}
              draggable={Boolean(onOrder)}
              onDragStart={() => setDragged(id)}
              onDragEnd={() => setDragged(undefined)}
              onDragOver={(event) => {
                event.preventDefault();
                if (dragged && dragged !== id) move(dragged, index);
              }}
              className={classes(
                "flex flex-wrap items-center gap-3 px-5 py-3",
                dragged === id && "bg-sunken opacity-70",
              )}
            >
              <span className="grid size-6 place-items-center rounded-full bg-sunken font-semibold text-ink-2 text-xs">
                {index + 1}
              </span>
              {onOrder ? <GripVertical aria-hidden className="size-4 cursor-grab text-ink-3 max-sm:hidden" /> : null}
              <span className="min-w-40 flex-1">
                <span className="block font-medium text-ink text-sm">{provider.name}</span>
                <span className="block text-ink-3 text-xs">{provider.detail}</span>
              </span>
              {provider.badge}
              {onOrder ? (
                <span className="flex">
                  <Button
                    tone="quiet"
                    size="icon"
                    aria-label={provider.up}
                    disabled={index === 0}
                    onClick={() => move(id, index - 1)}
                  >
                    <ArrowUp aria-hidden />
                  </Button>
                  <Button
                    tone="quiet"
                    size="icon"
                    aria-label={provider.down}
                    disabled={index === known.length - 1}
                    onClick={() => move(id, index + 1)}
                  >
                    <ArrowDown aria-hidden />
                  </Button>
                </span>
              ) : null}
              <span className="flex gap-1.5">{provider.actions}</span>
            </li>
          );
        })}
      </ol>
      <p aria-live="polite" className="sr-only">
        {said}
      </p>
      {isChanged ? (
        <form {...form} className="flex items-center justify-end gap-3 border-line border-t px-5 py-3">
          {state.problem ? (
            <p role="alert" className="text-danger text-sm">
              {state.problem}
            </p>
          ) : null}
          <input type="hidden" name="id" value={merchantId} />
          <input type="hidden" name="order" value={known.join(",")} />
          <Button type="submit" tone="primary" isBusy={isBusy}>
            {texts.save}
          </Button>
        </form>
      ) : null}
    </>
  );
}
