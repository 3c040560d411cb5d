import { Skeleton } from "@/components/ui/skeleton";

const ROWS = Array.from({ length: 10 }, (_, index) => `row ${index}`);

/** As tall as the rows that are coming. */
export function PaymentListSkeleton() {
  return (
    <div aria-hidden className="divide-y divide-line">
      <div className="hidden h-9 bg-sunken md:block" />
      {ROWS.map((row) => (
        <div key={row} className="flex h-[6.75rem] items-center gap-6 px-5 md:h-9">
          <Skeleton className="h-4 w-24" />
          <Skeleton className="h-5 w-20 rounded-full" />
          <Skeleton className="hidden h-4 w-28 md:block" />
          <Skeleton className="hidden h-4 flex-1 md:block" />
          <Skeleton className="ml-auto h-4 w-24" />
        </div>
      ))}
    </div>
  );
}
