"use client";

import { createContext, useContext } from "react";
import type { EditedProvider, Lint } from "@/components/flows/editor/lint";
import type { Slot } from "@/components/flows/editor/tree";
import type { FlowNames } from "@/components/flows/words";
import type { FlowNode, FlowNodes } from "@/lib/flows/rules/nodes";

/** What every node of the tree needs: the flow, and the ways to change it. */
export interface Editing {
  root: FlowNodes;
  method: string;
  providers: readonly EditedProvider[];
  declines: Readonly<Record<string, string>>;
  names: FlowNames;
  lint: Lint;
  /** Absent once something was changed. */
  passages: { payments: number; byEntry: Readonly<Record<string, number>> } | undefined;
  /** Address of the node whose form is open. */
  open: string | undefined;
  setOpen(address: string | undefined): void;
  add(slot: Slot, node: FlowNode): void;
  remove(slot: Slot, node: FlowNode): void;
  replace(slot: Slot, node: FlowNode): void;
  /** Whether there is a place on that side. */
  canStep(slot: Slot, by: -1 | 1): boolean;
  step(slot: Slot, node: FlowNode, by: -1 | 1): Slot | undefined;
  move(from: Slot, to: Slot): void;
}

export const EditorContext = createContext<Editing | undefined>(undefined);

export function useEditing(): Editing {
  const editing = useContext(EditorContext);
  if (!editing) throw new Error("EditorContext is missing above this component");
  return editing;
}
