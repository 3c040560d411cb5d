import type { TaskField } from "@/components/tasks/task-input";

interface Merchant {
  id: string;
  name: string | null;
}

/** Asked for where there is more than one: nobody should sell for the first by the alphabet without a choice. */
export function merchantField(
  { label, choose }: { label: string; choose: string },
  merchants: readonly Merchant[],
  present?: Merchant,
): TaskField[] {
  const offered = present && !merchants.some(({ id }) => id === present.id) ? [present, ...merchants] : [...merchants];
  if (merchants.length < 2) return [];
  return [
    {
      name: "merchantId",
      label,
      kind: "choice",
      isRequired: true,
      initial: present?.id ?? "",
      options: [
        ...(present ? [] : [{ value: "", label: choose }]),
        ...offered.map(({ id, name }) => ({ value: id, label: name ?? id })),
      ],
    },
  ];
}
