import { isOpen } from "@/lib/testing/simulator/bank";
import { ordersOf } from "@/lib/testing/simulator/orders";
import type { Shop } from "@/lib/testing/simulator/shop";
import type { World } from "@/lib/testing/simulator/world";

/** spec/invariants.md at an instant: what is shown now, beside what the provider holds now. */
export async function statusShown(world: World, { owner }: Shop): Promise<void> {
  const { bank } = world;
  const rows = await owner.sql<
    {
      status: string;
      captured: boolean;
      charge_id: string | null;
      slot: number;
      slot_status: string;
      watched: boolean;
    }[]
  >`
    select p.status, s.was_captured as captured, s.charge_id, s.slot_index as slot, s.status as slot_status,
           exists (select 1 from due_jobs j where j.ref_id = s.charge_id and j.kind = 'orphan.watch')
             or exists (select 1 from charges c where c.id = s.charge_id and c.operation is not null) as watched
      from purchases p join purchase_payments s on s.purchase_id = p.id where p.order_id = any(${ordersOf(world.seed)})`;
  for (const { status, charge_id, slot, slot_status, watched } of rows) {
    const deposits = bank.deposits.filter(({ chargeId }) => chargeId === charge_id);
    const isHeld = deposits.some(isOpen);
    const wrong = (line: string) => {
      if (!bank.wrongs.includes(line)) bank.wrongs.push(line);
    };
    if ((status === "failed" || status === "cancelled") && isHeld && !watched) {
      wrong(`M16: ${status} is shown while card ${slot} is still held`);
    }
    if (slot_status === "voided" && isHeld) wrong(`card ${slot} is shown voided and is still held`);
    if (slot_status === "authorized" && !deposits.some(({ captured }) => captured > 0)) {
      wrong(`card ${slot} is shown captured and is not`);
    }
    if (slot_status === "pre_authorized" && !deposits.some(({ wasApproved }) => wasApproved)) {
      wrong(`card ${slot} is shown held and never was`);
    }
  }
}
