"use client";

import { ArrowDown, ArrowUp, GripVertical, Pencil, Trash2, TriangleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { AddStep } from "@/components/flows/editor/add-step";
import { useEditing } from "@/components/flows/editor/context";
import { addMark, besideRemoved, focusMark, focusOneOf } from "@/components/flows/editor/focus";
import { useLintWords } from "@/components/flows/editor/lint-texts";
import { NodeForm } from "@/components/flows/editor/node-form";
import {
  branchesOf,
  type ListPath,
  listAddress,
  listKey,
  type Slot,
  slotAddress,
} from "@/components/flows/editor/tree";
import { useFlowWords } from "@/components/flows/words";
import { Button } from "@/components/ui/button";
import { classes } from "@/components/ui/classes";
import type { FlowNode, FlowNodes } from "@/lib/flows/rules/nodes";

const DRAGGED = "application/x-flow-slot";

interface NodeListProps {
  list: ListPath;
  nodes: FlowNodes;
  isAfterDecline: boolean;
  label: string;
}

/** A sequence: its nodes in order, each with its branches below it, and a way to add another at the end. */
export function NodeList({ list, nodes, isAfterDecline, label }: NodeListProps) {
  const t = useTranslations("flows");
  const lintWords = useLintWords();
  const isUnrouted = useEditing().lint.warnings.get(listAddress(list)) === "unrouted";
  return (
    <div>
      <ol aria-label={label} className="grid gap-2">
        {nodes.map((node, at) => (
          <NodeItem
            // A provider may stand in a list twice; what is typed belongs to the place.
            // biome-ignore lint/suspicious/noArrayIndexKey: nodes are known by their places
            key={`${node.rule} ${"id" in node ? node.id : ""} ${at}`}
            slot={{ list, at }}
            node={node}
            isAfterDecline={isAfterDecline}
          />
        ))}
      </ol>
      <DropZone slot={{ list, at: nodes.length }}>
        {isUnrouted ? (
          <p className="flex items-start gap-2 py-1 text-sm text-warning">
            <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
            {lintWords("unrouted")}
          </p>
        ) : nodes.length === 0 ? (
          <p className="py-1 text-ink-3 text-sm">{list.length === 0 ? t("byPriority") : t("branchEmpty")}</p>
        ) : null}
        <AddStep slot={{ list, at: nodes.length }} isAfterDecline={isAfterDecline} within={label} />
      </DropZone>
    </div>
  );
}

function NodeItem({ slot, node, isAfterDecline }: { slot: Slot; node: FlowNode; isAfterDecline: boolean }) {
  const t = useTranslations("flows");
  const editing = useEditing();
  const words = useFlowWords(editing.names);
  const lintWords = useLintWords();
  const address = slotAddress(slot);
  const fault = editing.lint.faults.get(address);
  const warning = editing.lint.warnings.get(address);
  const step = words.node(node);
  const isOpen = editing.open === address;
  const move = (by: -1 | 1) => {
    const to = editing.step(slot, node, by);
    if (!to) return;
    if (isOpen) editing.setOpen(slotAddress(to));
    // The same button of the same node, wherever it stands now.
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>(`[data-step="${slotAddress(to)}"][data-by="${by}"]`)?.focus(),
    );
  };
  const remove = () => {
    const { list, at } = slot;
    editing.remove(slot, node);
    const beside = besideRemoved(at).map((one) => focusMark("step", slotAddress({ list, at: one })));
    focusOneOf([...beside, addMark("step", listKey(list))]);
  };
  return (
    <li>
      <DropZone slot={slot}>
        <div
          className={classes(
            "rounded-md border border-line bg-surface",
            warning && "border-warning",
            fault && "border-danger",
          )}
        >
          <div className="flex items-center justify-end gap-1 py-1 pr-1 pl-2 max-sm:pointer-coarse:flex-wrap">
            {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrows beside it are the way without a pointer */}
            <span
              draggable
              onDragStart={(event) => {
                event.dataTransfer.setData(DRAGGED, JSON.stringify(slot));
                event.dataTransfer.effectAllowed = "move";
                event.stopPropagation();
              }}
              className="cursor-grab py-1 text-ink-3 max-sm:hidden"
            >
              <GripVertical aria-hidden className="size-4" />
            </span>
            <span className="min-w-0 flex-1 break-words px-1 text-ink text-sm max-sm:pointer-coarse:basis-full max-sm:pointer-coarse:pt-1.5">
              {step}
              <Passages node={node} />
            </span>
            <Button
              tone="quiet"
              size="icon"
              className="size-8"
              data-step={address}
              data-by="-1"
              aria-label={t("stepUp", { step })}
              aria-disabled={!editing.canStep(slot, -1)}
              onClick={() => move(-1)}
            >
              <ArrowUp aria-hidden />
            </Button>
            <Button
              tone="quiet"
              size="icon"
              className="size-8"
              data-step={address}
              data-by="1"
              aria-label={t("stepDown", { step })}
              aria-disabled={!editing.canStep(slot, 1)}
              onClick={() => move(1)}
            >
              <ArrowDown aria-hidden />
            </Button>
            <Button
              tone="quiet"
              size="icon"
              className="size-8"
              aria-expanded={isOpen}
              aria-label={t("stepEdit", { step })}
              onClick={() => editing.setOpen(isOpen ? undefined : address)}
            >
              <Pencil aria-hidden />
            </Button>
            <Button
              tone="quiet"
              size="icon"
              className="size-8"
              data-mark={focusMark("step", address)}
              aria-label={t("stepRemove", { step })}
              onClick={remove}
            >
              <Trash2 aria-hidden />
            </Button>
          </div>
          {fault ? <p className="px-3 pb-2 text-danger text-sm">{lintWords(fault)}</p> : null}
          {warning ? <p className="px-3 pb-2 text-sm text-warning">{lintWords(warning)}</p> : null}
          {isOpen ? <NodeForm slot={slot} node={node} isAfterDecline={isAfterDecline} /> : null}
        </div>
      </DropZone>
      {branchesOf(node).map(({ way, nodes }, side) => {
        const title = branchTitle(node, side);
        return (
          <div key={way.join(".")} className="mt-2 ml-3 border-line-strong border-l-2 pl-3 sm:ml-5">
            <p className="mb-1 font-medium text-ink-2 text-xs">{title}</p>
            <NodeList
              list={[...slot.list, slot.at, ...way]}
              nodes={nodes}
              isAfterDecline={isAfterDecline || node.rule === "provider"}
              label={title}
            />
          </div>
        );
      })}
    </li>
  );

  function branchTitle(of: FlowNode, side: number): string {
    if (of.rule === "condition") return side === 0 ? t("branchThen") : t("branchElse");
    if (of.rule === "share") return t("branchSide", { weight: words.weight(of.weights[side]?.weight ?? 0) });
    return t("branchDeclined", { provider: step });
  }
}

/** How much of the last payments went which way, as the rules were saved; nothing where none came by. */
export function Passages({ node }: { node: FlowNode }) {
  const t = useTranslations("flows");
  const { passages } = useEditing();
  if (!passages || passages.payments === 0 || node.rule !== "condition") return null;
  const count = passages.byEntry[`${node.id}:then`] ?? 0;
  // The rules that were counted did not have it, or led nobody to it.
  if (count + (passages.byEntry[`${node.id}:else`] ?? 0) === 0) return null;
  return (
    <span className={classes("block text-xs", count === 0 ? "text-warning" : "text-ink-3")}>
      {count === 0
        ? t("neverTrue", { payments: passages.payments })
        : t("trueFor", { count, payments: passages.payments })}
    </span>
  );
}

/** Takes a dragged node before what it holds. */
function DropZone({ slot, children }: { slot: Slot; children: React.ReactNode }) {
  const { move } = useEditing();
  const [isOver, setIsOver] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrows of each step are the way without a pointer
    <div
      className={classes("rounded-md border-transparent border-t-2", isOver && "border-accent")}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes(DRAGGED)) return;
        event.preventDefault();
        event.stopPropagation();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        const given = event.dataTransfer.getData(DRAGGED);
        setIsOver(false);
        if (!given) return;
        event.preventDefault();
        event.stopPropagation();
        // Guarantee: set by a node of this tree.
        move(JSON.parse(given) as Slot, slot);
      }}
    >
      {children}
    </div>
  );
}
