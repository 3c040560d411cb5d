"use server";

import { notFound, redirect } from "next/navigation";
import { nothing, withBody } from "@/app/(dashboard)/dashboard/sellers/body";
import { VENDOR_MEMBERS } from "@/app/(dashboard)/dashboard/sellers/vendors/fields";
import type { OnAccount } from "@/app/(dashboard)/operator-context";
import { runTask, textOf } from "@/app/(dashboard)/task";
import type { TaskState } from "@/components/tasks/task-form";
import { inTransaction } from "@/lib/context";
import { newVendor, vendorChange } from "@/lib/vendors/schema";
import { createVendor, deleteVendor, updateVendor } from "@/lib/vendors/service";

const PAGE = "/dashboard/sellers/vendors";

/** They are the whole account's: somebody limited to some merchants changes none. */
function wholeAccount({ ctx }: OnAccount): OnAccount["ctx"] {
  return ctx.merchants ? notFound() : ctx;
}

/** What is wrong with a new vendor or a change of one, and nothing else. */
export async function checkVendorAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("sellers.edit", async () =>
    textOf(form, "id") === ""
      ? withBody(form, VENDOR_MEMBERS, newVendor, {}, nothing)
      : withBody(form, VENDOR_MEMBERS, vendorChange, {}, nothing),
  );
}

export async function createVendorAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("sellers.edit", async (sender) => {
    const ctx = wholeAccount(sender);
    return withBody(form, VENDOR_MEMBERS, newVendor, {}, async (vendor) => {
      await inTransaction(ctx, (inside) => createVendor(inside, vendor));
      return redirect(`${PAGE}?done=created`);
    });
  });
}

export async function updateVendorAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("sellers.edit", async (sender) => {
    const ctx = wholeAccount(sender);
    return withBody(form, VENDOR_MEMBERS, vendorChange, {}, async (change) => {
      await inTransaction(ctx, (inside) => updateVendor(inside, textOf(form, "id"), change));
      return redirect(`${PAGE}?done=saved`);
    });
  });
}

export async function deleteVendorAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("sellers.edit", async (sender) => {
    const ctx = wholeAccount(sender);
    await inTransaction(ctx, (inside) => deleteVendor(inside, textOf(form, "id")));
    return redirect(`${PAGE}?done=deleted`);
  });
}
