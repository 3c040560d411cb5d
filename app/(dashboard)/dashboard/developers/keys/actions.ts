"use server";

import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { runTask, textOf } from "@/app/(dashboard)/task";
import { addressProblem, readAddresses } from "@/app/(dashboard)/typed-addresses";
import type { TaskState } from "@/components/tasks/task-form";
import {
  allowKeyFrom,
  createSecretKey,
  KEY_NAME_MAX_CHARS,
  revokeSecretKey,
  rotateSecretKey,
} from "@/lib/accounts/secret-keys";
import type { KeyRights } from "@/lib/context";
import { SEGMENTS } from "@/lib/http/scopes";
import { newPublicKey } from "@/lib/public-keys/schema";
import { createPublicKey, revokePublicKey } from "@/lib/public-keys/service";

const PAGE = "/dashboard/developers/keys";

async function shownOnce(apiKey: string): Promise<TaskState> {
  const t = await getTranslations("keys");
  return { secret: { label: t("secretOnce"), value: apiKey, note: t("secretOnceText") } };
}

export async function createSecretKeyAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("keys.manage", async ({ ctx }): Promise<TaskState> => {
    const [name, access] = [textOf(form, "name").trim(), textOf(form, "access")];
    const chosen = rightsIn(form);
    const problems = await problemsOf(name, access, chosen);
    if (problems) {
      const rights = Object.entries(chosen).map(([segment, right]) => `${segment}:${right}`);
      return { problems, given: { name, access, rights: rights.join(",") } };
    }
    return shownOnce((await createSecretKey(ctx, { name, rights: access === "chosen" ? chosen : null })).apiKey);
  });
}

const rightsIn = (form: FormData): KeyRights =>
  Object.fromEntries(
    SEGMENTS.flatMap((segment) => {
      const right = textOf(form, `rights.${segment}`);
      return right === "read" || right === "write" ? [[segment, right]] : [];
    }),
  );

/** Full access is asked for by its name: a form without the answer makes no key. */
async function problemsOf(name: string, access: string, rights: KeyRights): Promise<TaskState["problems"]> {
  const t = await getTranslations("keys");
  if (name === "" || name.length > KEY_NAME_MAX_CHARS) return { name: t("nameProblem", { most: KEY_NAME_MAX_CHARS }) };
  if (access !== "all" && access !== "chosen") return { access: t("accessMissing") };
  return access === "chosen" && Object.keys(rights).length === 0 ? { rights: t("rightsMissing") } : undefined;
}

export async function rotateSecretKeyAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("keys.manage", async ({ ctx }) => shownOnce((await rotateSecretKey(ctx, textOf(form, "id"))).apiKey));
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
      scope: [...form.getAll("scope"), ...form.getAll("wide")],
      expires: Number.parseInt(textOf(form, "expires"), 10),
    });
    if (!parsed.success) {
      const t = await getTranslations("keys");
      return {
        problems: { scope: t("scopeMissing") },
        given: { scope: "", wide: "", expires: textOf(form, "expires") },
      };
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
