/** Last CEP, by its first five digits, of each run of addresses in one state, in order (Correios' ranges by state). */
const RUNS = (
  "19999SP 28999RJ 29999ES 39999MG 48999BA 49999SE 56999PE 57999AL 58999PB 59999RN 63999CE 64999PI 65999MA " +
  "68899PA 68999AP 69299AM 69399RR 69899AM 69999AC 72799DF 72999GO 73699DF 76799GO 76999RO 77999TO 78899MT " +
  "79999MS 87999PR 89999SC 99999RS"
)
  .split(" ")
  .map((run) => [run.slice(0, 5), run.slice(5)] as const);
const FIRST = "01000";
const CEP = /^\s*(\d{5})\D?\d{3}\s*$/;

/** The state a CEP lies in; empty for what is no CEP. */
export function stateOfCep(text: string): string {
  const [, head = ""] = CEP.exec(text) ?? [];
  return head < FIRST ? "" : (RUNS.find(([last]) => head <= last)?.[1] ?? "");
}
