"use server";

import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { runTask, textOf } from "@/app/(dashboard)/task";
import type { TaskState } from "@/components/tasks/task-form";
import { readAmount } from "@/lib/charges/typed-amount";
import { inTransaction } from "@/lib/context";
import { cancelSession } from "@/lib/sessions/cancel";
import { newSession } from "@/lib/sessions/schema";
import { createSession, duplicateSession, updateSession } from "@/lib/sessions/service";
import { UNLIMITED } from "@/lib/sessions/state";

const PAGE = "/dashboard/links";
const PIX_SECONDS = 3_600;
const TYPED = [
  "name",
  "description",
  "amount",
  "installments",
  "payments",
  "dueDate",
  "orderId",
  "merchantId",
] as const;

export async function createLinkAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("links.edit", async ({ ctx }): Promise<TaskState> => {
    const t = await getTranslations("links");
    const given = {
      ...Object.fromEntries(TYPED.map((name) => [name, textOf(form, name)])),
      methods: form.getAll("methods").join(","),
    };
    const amount = readAmount(textOf(form, "amount"));
    const methods = form.getAll("methods").map(String);
    if (!amount) return { problem: t("unfit"), problems: { amount: t("amountProblem") }, given };
    if (methods.length === 0) return { problem: t("unfit"), problems: { methods: t("methodsProblem") }, given };
    const payments = textOf(form, "payments");
    const name = textOf(form, "name");
    const dueDate = textOf(form, "dueDate");
    const parsed = newSession.safeParse({
      merchantId: textOf(form, "merchantId"),
      name,
      description: textOf(form, "description") || undefined,
      orderId: textOf(form, "orderId") || undefined,
      items: [{ name, unitPrice: amount, quantity: 1 }],
      createLink: true,
      dueDate: dueDate || undefined,
      maxPayments: payments === "once" ? undefined : payments === "many" ? UNLIMITED : Number.parseInt(payments, 10),
      paymentMethods: methods.map((paymentType) =>
        paymentType === "credit"
          ? { paymentType, installments: Number.parseInt(textOf(form, "installments"), 10) }
          : paymentType === "pix"
            ? { paymentType, expiresIn: PIX_SECONDS }
            : { paymentType, expiresDate: dueDate },
      ),
    });
    if (!parsed.success) {
      const wrong = new Set(parsed.error.issues.map(({ path }) => String(path[0])));
      return {
        problem: t("unfit"),
        problems: wrong.has("dueDate") || methods.includes("boleto") ? { dueDate: t("dueProblem") } : {},
        given,
      };
    }
    const { id } = await inTransaction(ctx, (inside) => createSession(inside, parsed.data));
    return redirect(`${PAGE}/${id}?done=created`);
  });
}

export async function duplicateLinkAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("links.edit", async ({ ctx }) => {
    const { id } = await inTransaction(ctx, (inside) => duplicateSession(inside, textOf(form, "id")));
    return redirect(`${PAGE}/${id}?done=created`);
  });
}

export async function turnLinkAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("links.edit", async ({ ctx }) => {
    const id = textOf(form, "id");
    await inTransaction(ctx, (inside) =>
      updateSession(inside, id, { isActive: textOf(form, "how") === "on", dueDate: undefined, maxPayments: undefined }),
    );
    return redirect(`${PAGE}/${id}?done=saved`);
  });
}

export async function cancelLinkAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("links.edit", async ({ ctx }) => {
    const id = textOf(form, "id");
    await cancelSession(ctx, id);
    return redirect(`${PAGE}/${id}?done=canceled`);
  });
}
