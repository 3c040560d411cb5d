"use client";

import { ColumnPicker, type PickedColumn } from "@/components/reports/column-picker";
import { FormProblem } from "@/components/tasks/form-problem";
import type { TaskState } from "@/components/tasks/task-form";
import { type TaskField, TaskInput } from "@/components/tasks/task-input";
import { useKeptForm } from "@/components/tasks/use-kept-form";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";

export interface ReportFormState extends TaskState {
  preview?: { labels: string[]; rows: string[][]; summary: string; isEmpty: boolean };
}

interface ReportFormProps {
  hidden: Readonly<Record<string, string>>;
  groups: readonly { title: string; fields: readonly TaskField[] }[];
  columns: readonly PickedColumn[];
  chosen: readonly string[];
  onAct: (before: ReportFormState, form: FormData) => Promise<ReportFormState>;
  texts: {
    columns: string;
    picker: Parameters<typeof ColumnPicker>[0]["texts"];
    preview: string;
    previewTitle: string;
    create: string;
    /** With a repetition nothing is made now. */
    schedule: string;
  };
}

/** Both buttons send the same form: one to look, one to make. */
export function ReportForm({ hidden, groups, columns, chosen, onAct, texts }: ReportFormProps) {
  const [state, kept, isBusy] = useKeptForm(onAct);
  return (
    <>
      <form {...kept} className="grid grid-cols-1 gap-5">
        {Object.entries(hidden).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <FormProblem state={state} />
        {groups.map(({ title, fields }) => (
          <Card key={title} className="px-5 pt-4 pb-5">
            <h2 className="mb-3 font-semibold text-ink">{title}</h2>
            <div className="grid grid-cols-1 items-start gap-x-8 gap-y-4 sm:grid-cols-2">
              {fields.map((field) => (
                <TaskInput
                  key={field.name}
                  field={field}
                  given={state.given?.[field.name]}
                  problem={state.problems?.[field.name]}
                />
              ))}
            </div>
          </Card>
        ))}
        <Card className="px-5 pt-4 pb-5">
          <h2 className="mb-3 font-semibold text-ink">{texts.columns}</h2>
          <ColumnPicker columns={columns} initial={chosen} texts={texts.picker} />
        </Card>
        <div className="flex flex-wrap justify-end gap-2">
          <Button type="submit" name="intent" value="preview" isBusy={isBusy} className="h-11 sm:h-9">
            {texts.preview}
          </Button>
          <Button type="submit" name="intent" value="create" tone="primary" isBusy={isBusy} className="h-11 sm:h-9">
            <span className="[form:has([name=cron]_option:first-child:not(:checked))_&]:hidden">{texts.create}</span>
            <span className="[form:has([name=cron]_option:first-child:checked)_&]:hidden">{texts.schedule}</span>
          </Button>
        </div>
      </form>
      {state.preview ? (
        <Card className="mt-5 overflow-hidden">
          <h2 className="px-5 pt-4 font-semibold text-ink">{texts.previewTitle}</h2>
          <p role="status" className="px-5 pt-1 pb-3 text-ink-2 text-sm">
            {state.preview.summary}
          </p>
          {state.preview.isEmpty ? null : (
            <div className="overflow-x-auto">
              <Table caption={texts.previewTitle}>
                <TableHead>
                  <tr>
                    {state.preview.labels.map((label) => (
                      <TableHeader key={label} className="whitespace-nowrap pl-5">
                        {label}
                      </TableHeader>
                    ))}
                  </tr>
                </TableHead>
                <TableBody>
                  {state.preview.rows.map((row, line) => (
                    // The rows of a preview have no id that every type shows, and never move.
                    // biome-ignore lint/suspicious/noArrayIndexKey: see above
                    <TableRow key={line}>
                      {row.map((cell, at) => (
                        <TableCell
                          key={state.preview?.labels[at]}
                          className="max-w-56 truncate whitespace-nowrap pl-5 text-sm"
                        >
                          {cell}
                        </TableCell>
                      ))}
                    </TableRow>
                  ))}
                </TableBody>
              </Table>
            </div>
          )}
        </Card>
      ) : null}
    </>
  );
}
