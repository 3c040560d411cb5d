import { type Result, ratioOf } from "@/bench/compare/measure";
import { table } from "@/bench/table";

const KILOBYTE = 1024;

/** What each contender did, the product first. */
export function comparison(contenders: readonly Result[]): string {
  const [product] = contenders;
  if (!product) throw new Error("nothing was measured");
  const head = [
    "",
    "requests/s",
    "p50 ms",
    "p99 ms",
    "CPU ms: Node + PostgreSQL",
    "cores",
    "WAL KB",
    "statements",
    "round trips",
    "the product, as a part of it",
  ];
  return table(
    head,
    contenders.map((result) => [
      result.name,
      result.perSecond.toFixed(0),
      result.p50.toFixed(1),
      result.p99.toFixed(1),
      `${result.node.toFixed(2)} + ${result.database.toFixed(2)}`,
      result.cores.toFixed(2),
      (result.walBytes / KILOBYTE).toFixed(1),
      String(result.statements),
      String(result.roundTrips),
      ratioOf(product, result).toFixed(2),
    ]),
  );
}
