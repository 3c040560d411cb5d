"use client";

import { Redo2, Undo2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { useUnsaved } from "@/components/dashboard/unsaved";
import { EditorContext } from "@/components/flows/editor/context";
import { type EditedProvider, lintOf } from "@/components/flows/editor/lint";
import { useLintWords } from "@/components/flows/editor/lint-texts";
import { NodeList } from "@/components/flows/editor/node-list";
import { inserted, moved, removed, replaced, type Slot, stepped } from "@/components/flows/editor/tree";
import { FlowLines } from "@/components/flows/flow-lines";
import { useFlowWords } from "@/components/flows/words";
import { FormProblem } from "@/components/tasks/form-problem";
import type { TaskAction } from "@/components/tasks/task-form";
import { useKeptForm } from "@/components/tasks/use-kept-form";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import type { FlowNode, FlowNodes } from "@/lib/flows/rules/nodes";

interface FlowEditorProps {
  flow: { id: string; name: string; version: string; root: FlowNodes; method: string; isDraft: boolean };
  providers: readonly EditedProvider[];
  declines: Readonly<Record<string, string>>;
  /** Of the saved rules: how many of the last payments passed each side. */
  passages: { payments: number; byEntry: Readonly<Record<string, number>> };
  onSave: TaskAction;
}

const MOST_UNDONE = 100;

/** A flow as a tree of sentences. Nothing is stored before it is saved; every change can be undone until then. */
export function FlowEditor({ flow, providers, declines, passages, onSave }: FlowEditorProps) {
  const t = useTranslations("flows");
  const [root, setRoot] = useState(flow.root);
  const [name, setName] = useState(flow.name);
  const [undone, setUndone] = useState<{ past: FlowNodes[]; future: FlowNodes[] }>({ past: [], future: [] });
  const [said, setSaid] = useState("");
  const [open, setOpen] = useState<string>();
  const [state, form, isBusy] = useKeptForm(onSave);
  const names = useMemo(
    () => ({ providers: Object.fromEntries(providers.map((one) => [one.id, one.name])), declines }),
    [providers, declines],
  );
  const words = useFlowWords(names);
  const lintWords = useLintWords();
  const lint = useMemo(() => lintOf(root, flow.method, providers), [root, flow.method, providers]);
  const isChanged = name !== flow.name || JSON.stringify(root) !== JSON.stringify(flow.root);
  useUnsaved(isChanged && !isBusy);

  const change = (next: FlowNodes | undefined, announced: string) => {
    if (!next) return;
    setUndone(({ past }) => ({ past: [...past, root].slice(-MOST_UNDONE), future: [] }));
    setRoot(next);
    setSaid(announced);
  };
  const undo = () => {
    const before = undone.past.at(-1);
    if (!before) return;
    setUndone({ past: undone.past.slice(0, -1), future: [root, ...undone.future] });
    setRoot(before);
    setSaid(t("saidUndone"));
  };
  const redo = () => {
    const [after, ...future] = undone.future;
    if (!after) return;
    setUndone({ past: [...undone.past, root], future });
    setRoot(after);
    setSaid(t("saidRedone"));
  };
  const text = (node: FlowNode) => words.node(node);
  const editing = {
    root,
    method: flow.method,
    providers,
    declines,
    names,
    lint,
    passages: isChanged ? undefined : passages,
    open,
    setOpen,
    add: (slot: Slot, node: FlowNode) => change(inserted(root, slot, node), t("saidAdded", { step: text(node) })),
    remove(slot: Slot, node: FlowNode) {
      // What is open is known by its place, which others take now.
      setOpen(undefined);
      change(removed(root, slot), t("saidRemoved", { step: text(node) }));
    },
    replace: (slot: Slot, node: FlowNode) => change(replaced(root, slot, node), ""),
    canStep: (slot: Slot, by: -1 | 1) => stepped(root, slot, by) !== undefined,
    step(slot: Slot, node: FlowNode, by: -1 | 1) {
      const to = stepped(root, slot, by);
      change(to?.root, t("saidMoved", { step: text(node) }));
      return to?.to;
    },
    move(from: Slot, to: Slot) {
      setOpen(undefined);
      change(moved(root, from, to), t("saidDropped"));
    },
  };
  return (
    <EditorContext value={editing}>
      <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-[minmax(0,1fr)_24rem]">
        <Card
          onKeyDown={(event) => {
            if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z") return;
            if (event.target instanceof HTMLInputElement) return;
            event.preventDefault();
            if (event.shiftKey) redo();
            else undo();
          }}
        >
          <CardHeader
            title={t("editorTitle")}
            description={t("editorText")}
            actions={
              <>
                <Button
                  tone="quiet"
                  size="icon"
                  aria-label={t("undo")}
                  disabled={undone.past.length === 0}
                  onClick={undo}
                >
                  <Undo2 aria-hidden />
                </Button>
                <Button
                  tone="quiet"
                  size="icon"
                  aria-label={t("redo")}
                  disabled={undone.future.length === 0}
                  onClick={redo}
                >
                  <Redo2 aria-hidden />
                </Button>
              </>
            }
          />
          <div className="px-5 py-4">
            {lint.warnings.get("root") === "noFallback" ? (
              <p className="mb-3 text-sm text-warning">{lintWords("noFallback")}</p>
            ) : null}
            {lint.faults.has("root") ? (
              <p role="alert" className="mb-3 text-danger text-sm">
                {lintWords(lint.faults.get("root") ?? "value")}
              </p>
            ) : null}
            <NodeList list={[]} nodes={root} isAfterDecline={false} label={t("editorTitle")} />
          </div>
          <p aria-live="polite" className="sr-only">
            {said}
          </p>
        </Card>
        <div className="grid gap-6 xl:sticky xl:top-6">
          <Card>
            <form {...form} className="grid gap-4 px-5 py-4">
              <FormProblem state={state} />
              <input type="hidden" name="id" value={flow.id} />
              <input type="hidden" name="version" value={flow.version} />
              <input type="hidden" name="root" value={JSON.stringify(root)} />
              <Field label={t("name")}>
                {(control) => (
                  <Input
                    {...control}
                    name="name"
                    value={name}
                    maxLength={100}
                    required
                    onChange={({ target }) => setName(target.value)}
                  />
                )}
              </Field>
              <Field label={t("why")} hint={t("whyHint")}>
                {(control) => <Input {...control} name="why" maxLength={500} autoComplete="off" />}
              </Field>
              <div className="flex flex-wrap items-center justify-between gap-3">
                <p className="text-ink-2 text-sm">{isChanged ? t("notSaved") : t("allSaved")}</p>
                <Button type="submit" tone="primary" isBusy={isBusy} disabled={!isChanged || lint.faults.size > 0}>
                  {flow.isDraft ? t("save") : t("saveNext")}
                </Button>
              </div>
              {lint.faults.size > 0 ? (
                <p className="text-danger text-sm">{t("faultCount", { count: lint.faults.size })}</p>
              ) : null}
            </form>
          </Card>
          <Card>
            <CardHeader title={t("readsAs")} />
            <FlowLines root={root} names={names} />
          </Card>
        </div>
      </div>
    </EditorContext>
  );
}
