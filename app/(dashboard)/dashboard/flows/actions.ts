"use server";

import { redirect } from "next/navigation";
import { getLocale, getTranslations } from "next-intl/server";
import { describedBy } from "@/app/(dashboard)/dashboard/flows/[id]/described";
import { TEMPLATE_NAMES, TEMPLATES } from "@/app/(dashboard)/dashboard/flows/templates";
import { LIST } from "@/app/(dashboard)/dashboard/flows/words";
import { runTask, textOf } from "@/app/(dashboard)/task";
import type { TaskState } from "@/components/tasks/task-form";
import { FLOW_METHODS } from "@/db/schema/flows";
import { type Context, inSnapshot } from "@/lib/context";
import { invalid } from "@/lib/errors";
import { getFlow, rootOf, versionOf } from "@/lib/flows/queries";
import { removeTest, saveTest } from "@/lib/flows/saved-tests";
import { createFlow, restoreFlow, updateFlow } from "@/lib/flows/service";
import { adopting, sharesIn } from "@/lib/flows/trials/sides";
import { pauseProvider } from "@/lib/merchants/providers";
import { providersOfMerchants } from "@/lib/merchants/queries";
import { type Reached, reaching } from "@/lib/operators/reach";
import { isAntifraudKind } from "@/lib/providers/kinds";

const LONGEST_NAME = 100;
const LONGEST_WHY = 500;

/** Of somebody limited to some merchants, none of the things may lie outside. */
async function reachingAll(ctx: Context, thing: Reached, ids: readonly string[]): Promise<Context> {
  let own = ctx;
  for (const id of ids) own = await reaching(ctx, thing, id);
  return own;
}

const whyOf = (form: FormData): string | undefined => textOf(form, "why").slice(0, LONGEST_WHY) || undefined;

export async function createFlowAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("flows.edit", async ({ ctx }): Promise<TaskState> => {
    const t = await getTranslations("flows");
    const name = textOf(form, "name");
    const merchantIds = form.getAll("merchants").map(String).filter(Boolean);
    const paymentMethod = FLOW_METHODS.find((one) => one === textOf(form, "method"));
    if (!paymentMethod) throw invalid("method");
    const problems = {
      ...(name === "" || name.length > LONGEST_NAME ? { name: t("nameProblem") } : {}),
      ...(merchantIds.length === 0 ? { merchants: t("merchantsProblem") } : {}),
    };
    const given = {
      name,
      method: paymentMethod,
      merchants: merchantIds.join(","),
      start: textOf(form, "start"),
    };
    if (Object.keys(problems).length > 0) return { problems, given };
    const template = TEMPLATES[TEMPLATE_NAMES.find((one) => one === given.start) ?? "empty"];
    const theirs = await inSnapshot(ctx, (inside) => providersOfMerchants(inside, merchantIds));
    const payable = theirs.filter(({ kind, routable }) => routable && !isAntifraudKind(kind)).map(({ id }) => id);
    if (payable.length < template.least)
      return { problems: { start: t("startNeeds", { needs: template.least, count: payable.length }) }, given };
    const made = await createFlow(await reachingAll(ctx, "merchant", merchantIds), {
      name,
      paymentMethod,
      merchantId: undefined,
      merchants: merchantIds.map((merchantId) => ({ merchantId })),
      flow: { root: template.root(payable) },
      parentId: undefined,
      status: "draft",
      note: undefined,
    });
    return redirect(`${LIST}/${made.id}/edit`);
  });
}

/** A draft of another flow, with the same rules. */
export async function duplicateFlowAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("flows.edit", async ({ ctx }) => {
    const id = textOf(form, "id");
    const { name, paymentMethod, merchantIds, ...row } = await inSnapshot(ctx, (inside) => getFlow(inside, id));
    const copy = (await getTranslations("flows"))("copyOf", { name }).slice(0, LONGEST_NAME);
    const made = await createFlow(await reaching(ctx, "flow", id), {
      name: copy,
      paymentMethod,
      merchantId: undefined,
      merchants: merchantIds.map((merchantId) => ({ merchantId })),
      flow: { root: rootOf(row) },
      parentId: undefined,
      status: "draft",
      note: undefined,
    });
    return redirect(`${LIST}/${made.id}/edit`);
  });
}

/** From the page that showed what the version makes of the described payment, with the sides that it was shown. */
export async function saveTestAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("flows.edit", async ({ ctx }): Promise<TaskState> => {
    const [id, name] = [textOf(form, "id"), textOf(form, "test")];
    const t = await getTranslations("flows");
    if (name === "" || name.length > LONGEST_NAME)
      return { problems: { test: t("nameProblem") }, given: { test: name } };
    const said = [...form.keys()].map((key) => [key, textOf(form, key)] as const);
    const described = describedBy(Object.fromEntries(said), id, await getLocale());
    const { asked, unit } = described ?? {};
    if (!asked || !unit) return { problem: t("describeProblem") };
    await saveTest(await reaching(ctx, "flow", id), id, { name, facts: asked.facts ?? {}, unit });
    return redirect(`${LIST}/${id}?done=testSaved#tests`);
  });
}

export async function removeTestAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("flows.edit", async ({ ctx }) => {
    const id = textOf(form, "id");
    await removeTest(await reaching(ctx, "flow", id), id, textOf(form, "test"));
    return redirect(`${LIST}/${id}?done=testRemoved#tests`);
  });
}

/** From the dialog that told the effect: its version and the flows that it takes the place of must still be the same. */
export async function activateFlowAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return moveFlow(form, "active", "activated");
}

export async function archiveFlowAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return moveFlow(form, "archived", "archived");
}

async function moveFlow(form: FormData, status: "active" | "archived", done: string): Promise<TaskState> {
  return runTask("flows.activate", async ({ ctx }) => {
    const id = textOf(form, "id");
    const changes = {
      version: textOf(form, "version") || undefined,
      status,
      name: undefined,
      merchants: undefined,
      flow: undefined,
      note: whyOf(form),
    };
    const deciders = form.has("deciders") ? textOf(form, "deciders") : undefined;
    await updateFlow(await reaching(ctx, "flow", id), id, changes, { deciders });
    return redirect(`${LIST}/${id}?done=${done}`);
  });
}

/** A draft that nobody wants; activating and archiving what decides payments is another right. */
export async function discardDraftAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("flows.edit", async ({ ctx }) => {
    const id = textOf(form, "id");
    const row = await inSnapshot(ctx, (inside) => getFlow(inside, id));
    const changes = {
      version: versionOf(row),
      status: "archived" as const,
      name: undefined,
      merchants: undefined,
      flow: undefined,
      note: whyOf(form),
    };
    await updateFlow(await reaching(ctx, "flow", id), id, changes, { isDraft: true });
    return redirect(`${LIST}?done=archived`);
  });
}

/** Whose payments a draft will decide; of an active flow that is another activation. */
export async function changeMerchantsAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("flows.edit", async ({ ctx }): Promise<TaskState> => {
    const id = textOf(form, "id");
    const merchantIds = form.getAll("merchants").map(String).filter(Boolean);
    if (merchantIds.length === 0) {
      return { problems: { merchants: (await getTranslations("flows"))("merchantsProblem") } };
    }
    await reachingAll(ctx, "merchant", merchantIds);
    const changes = {
      version: textOf(form, "version") || undefined,
      merchants: merchantIds.map((merchantId) => ({ merchantId })),
      name: undefined,
      flow: undefined,
      status: undefined,
      note: undefined,
    };
    await updateFlow(await reaching(ctx, "flow", id), id, changes, { isDraft: true });
    return redirect(`${LIST}/${id}?done=saved`);
  });
}

/** A draft in which one side stands for the whole share; it is replayed and activated like any other. */
export async function adoptSideAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("flows.edit", async ({ ctx }) => {
    const id = textOf(form, "id");
    const row = await inSnapshot(ctx, (inside) => getFlow(inside, id));
    const [share, side] = [textOf(form, "share"), Number(textOf(form, "side"))];
    if (!sharesIn(rootOf(row)).some((one) => one.id === share && side in one.weights)) throw invalid("share");
    const made = await updateFlow(await reaching(ctx, "flow", id), id, {
      version: versionOf(row),
      flow: { root: adopting(rootOf(row), share, side) },
      name: undefined,
      merchants: undefined,
      status: undefined,
      note: undefined,
    });
    return redirect(`${LIST}/${made.id}?done=created`);
  });
}

export async function restoreFlowAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("flows.activate", async ({ ctx }) => {
    const own = await reachingAll(ctx, "merchant", [textOf(form, "merchant")]);
    await reaching(ctx, "flow", textOf(form, "id"));
    const made = await restoreFlow(own, textOf(form, "id"), textOf(form, "merchant"), { note: whyOf(form) });
    return redirect(`${LIST}/${made.id}?done=restored`);
  });
}

export async function pauseProviderAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("providers.pause", async ({ ctx }) => {
    const paused = textOf(form, "how") === "pause";
    await pauseProvider(await reaching(ctx, "provider", textOf(form, "provider")), textOf(form, "provider"), {
      paused,
      reason: whyOf(form),
    });
    return redirect(`${LIST}?done=${paused ? "paused" : "resumed"}`);
  });
}
