import { percentile } from "@/bench/latencies";
import { launch } from "@/bench/processes";
import type { Context } from "@/lib/context";
import { listPayments } from "@/lib/search/payments";
import { monotonicMs } from "@/lib/time";

const TURNS = 3;
const PAGES = 150;
const WARM = 30;

interface Beside {
  p50: number;
  p95: number;
}

/** What a page of the list of payments takes in another account: alone, and while a report is written, in turns. */
export async function pagesBeside(
  other: Context,
  report: { clientId: string; reportId: string },
): Promise<{ alone: Beside; beside: Beside }> {
  const [alone, beside]: [number[], number[]] = [[], []];
  for (let n = 0; n < WARM; n++) await listPayments(other, "owner", {});
  for (let turn = 0; turn < TURNS; turn++) {
    await pages(other, alone, () => true);
    const worker = launch("reports/writer.ts");
    let isOver = false;
    const writing = worker.ask<number>(report).finally(() => {
      isOver = true;
    });
    await pages(other, beside, () => !isOver);
    await writing;
    await worker.stop();
  }
  return { alone: told(alone), beside: told(beside) };
}

async function pages(ctx: Context, times: number[], isOn: () => boolean): Promise<void> {
  for (let n = 0; n < PAGES && isOn(); n++) {
    const startedMs = monotonicMs();
    await listPayments(ctx, "owner", {});
    times.push(monotonicMs() - startedMs);
  }
}

function told(times: number[]): Beside {
  const sorted = times.sort((a, b) => a - b);
  return { p50: percentile(sorted, 0.5), p95: percentile(sorted, 0.95) };
}
