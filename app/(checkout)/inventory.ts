import { readInventory, SCRIPTS_PATH } from "@/lib/checkout/inventory";

/** The address of one of the checkout's scripts. */
export function scriptAddress(name: string): string {
  const found = readInventory()[name];
  if (!found) throw new Error(`the checkout has no script ${name}`);
  return `${SCRIPTS_PATH}${found.file}`;
}
