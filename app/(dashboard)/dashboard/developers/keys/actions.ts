"use server";

import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { runTask, textOf } from "@/app/(dashboard)/task";
import { addressProblem, readAddresses } from "@/app/(dashboard)/typed-addresses";
import type { TaskState } from "@/components/tasks/task-form";
import { allowKeyFrom, createSecretKey, revokeSecretKey, rotateSecretKeys } from "@/lib/accounts/secret-keys";
import { newPublicKey } from "@/lib/public-keys/schema";
import { createPublicKey, revokePublicKey } from "@/lib/public-keys/service";

const PAGE = "/dashboard/developers/keys";

async function shownOnce(apiKey: string): Promise<TaskState> {
  const t = await getTranslations("keys");
  return { secret: { label: t("secretOnce"), value: apiKey, note: t("secretOnceText") } };
}

export async function createSecretKeyAction(): Promise<TaskState> {
  return runTask("keys.manage", async ({ ctx }) => shownOnce((await createSecretKey(ctx)).apiKey));
}

export async function rotateSecretKeysAction(): Promise<TaskState> {
  return runTask("keys.manage", async ({ ctx }) => shownOnce((await rotateSecretKeys(ctx)).apiKey));
}

export async function revokeSecretKeyAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("keys.manage", async ({ ctx }) => {
    await revokeSecretKey(ctx, textOf(form, "id"));
    return redirect(`${PAGE}?done=revoked`);
  });
}

export async function allowKeyAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("keys.manage", async ({ ctx }): Promise<TaskState> => {
    const typed = readAddresses(textOf(form, "addresses"));
    if ("problem" in typed) return { problems: { addresses: await addressProblem(typed.problem) }, given: typed.given };
    await allowKeyFrom(ctx, textOf(form, "id"), typed.addresses);
    return redirect(`${PAGE}?done=addresses`);
  });
}

export async function createPublicKeyAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("keys.manage", async ({ ctx }): Promise<TaskState> => {
    const parsed = newPublicKey.safeParse({
      scope: form.getAll("scope"),
      expires: Number.parseInt(textOf(form, "expires"), 10),
    });
    if (!parsed.success) {
      const t = await getTranslations("keys");
      return { problems: { scope: t("scopeMissing") }, given: { scope: "", expires: textOf(form, "expires") } };
    }
    await createPublicKey(ctx, parsed.data);
    return redirect(`${PAGE}?done=created`);
  });
}

export async function revokePublicKeyAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("keys.manage", async ({ ctx }) => {
    await revokePublicKey(ctx, textOf(form, "id"));
    return redirect(`${PAGE}?done=revoked`);
  });
}
