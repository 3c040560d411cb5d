"use server";

import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { runTask, textOf } from "@/app/(dashboard)/task";
import type { TaskState } from "@/components/tasks/task-form";
import { audit } from "@/lib/audit";
import { inTransaction } from "@/lib/context";
import { customerChange } from "@/lib/customers/schema";
import { deleteCustomer, updateCustomer } from "@/lib/customers/service";

const LIST = "/dashboard/customers";

export async function updateCustomerAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("customers.edit", async ({ ctx }) => {
    const id = textOf(form, "id");
    const parsed = customerChange.safeParse({ name: textOf(form, "name"), phoneNumber: textOf(form, "phoneNumber") });
    if (!parsed.success) {
      const t = await getTranslations("customers");
      return {
        problem: t("unfit"),
        given: { name: textOf(form, "name"), phoneNumber: textOf(form, "phoneNumber") },
      };
    }
    await inTransaction(ctx, async (inside) => {
      await updateCustomer(inside, id, parsed.data);
      await audit(inside, { action: "customer.update", object: "customer", objectId: id });
    });
    return redirect(`${LIST}/${id}?done=saved`);
  });
}

export async function deleteCustomerAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("customers.delete", async ({ ctx }) => {
    await inTransaction(ctx, (inside) => deleteCustomer(inside, textOf(form, "id")));
    return redirect(`${LIST}?done=deleted`);
  });
}
