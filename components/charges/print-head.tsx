interface PrintHeadProps {
  title: string;
  account: string;
  when: string;
  /** In words; what stands where there is none. */
  filters: string;
  /** Which rows of how many. */
  rows: string;
}

/** On paper the page around the list is gone: what it is of stands above it. */
export function PrintHead({ title, account, when, filters, rows }: PrintHeadProps) {
  return (
    <div className="hidden border-line border-b px-5 py-3 text-ink print:block">
      <p className="font-semibold text-lg">
        {title} – {account}
      </p>
      <p className="text-sm">{when}</p>
      <p className="text-sm">{filters}</p>
      <p className="text-sm">{rows}</p>
    </div>
  );
}
