"use server";

import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { runTask, textOf } from "@/app/(dashboard)/task";
import type { TaskState } from "@/components/tasks/task-form";
import { audit } from "@/lib/audit";
import { unlinkCard } from "@/lib/cards/links";
import { inTransaction } from "@/lib/context";
import { customerChange } from "@/lib/customers/schema";
import { getCustomer, updateCustomer } from "@/lib/customers/service";
import { closeCustomer } from "@/lib/subscriptions/service";

const LIST = "/dashboard/customers";
const FIELDS = ["name", "phoneNumber"] as const;
const UNFIT = { name: "nameUnfit", phoneNumber: "phoneNumberUnfit" } as const;

export async function updateCustomerAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("customers.edit", async ({ ctx }) => {
    const id = textOf(form, "id");
    const given = { name: textOf(form, "name"), phoneNumber: textOf(form, "phoneNumber") };
    const parsed = customerChange.safeParse(given);
    if (!parsed.success) {
      const t = await getTranslations("customers");
      const wrong = FIELDS.filter((field) => parsed.error.issues.some(({ path: [at] }) => at === field));
      return { problems: Object.fromEntries(wrong.map((field) => [field, t(UNFIT[field])])), given };
    }
    await inTransaction(ctx, async (inside) => {
      const before = await getCustomer(inside, id);
      await updateCustomer(inside, id, parsed.data);
      // The names of what changed: what a person was called does not outlive their deletion.
      const changed = FIELDS.filter(
        (field) => parsed.data[field] !== undefined && parsed.data[field] !== before[field],
      );
      await audit(inside, { action: "customer.update", object: "customer", objectId: id, after: { changed } });
    });
    return redirect(`${LIST}/${id}?done=saved`);
  });
}

/** The card is nobody's afterwards; payments made with it keep it. */
export async function removeCardAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("customers.edit", async ({ ctx }) => {
    const id = textOf(form, "id");
    await inTransaction(ctx, (inside) => unlinkCard(inside, id, textOf(form, "card")));
    return redirect(`${LIST}/${id}?done=card`);
  });
}

export async function deleteCustomerAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("customers.delete", async ({ ctx }) => {
    await inTransaction(ctx, (inside) => closeCustomer(inside, textOf(form, "id")));
    return redirect(`${LIST}?done=deleted`);
  });
}
