"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import type { z } from "zod";
import { merchantWords, PAYOUT_FIELDS } from "@/app/(dashboard)/dashboard/merchants/payout-fields";
import { runTask, textOf, unlessOver } from "@/app/(dashboard)/task";
import { unusedProviderName } from "@/components/merchants/provider-names";
import type { TaskState } from "@/components/tasks/task-form";
import { SUBSCRIPTION_MAILS } from "@/db/schema/merchants";
import { type Context, inTransaction } from "@/lib/context";
import { DomainError, invalid, RequestError } from "@/lib/errors";
import { createProvider, removeProvider, updateProvider } from "@/lib/merchants/providers";
import { providersOfMerchants } from "@/lib/merchants/queries";
import { askRotation, endRotation, needsSecondPerson } from "@/lib/merchants/rotations";
import { merchantChanges, newMerchant } from "@/lib/merchants/schema";
import { createMerchant, deleteMerchant, getMerchant, updateMerchant } from "@/lib/merchants/service";
import { type ConnectionTest, isUnreached, testConnection } from "@/lib/merchants/test-connection";
import { isRegistrable, memberNames } from "@/lib/providers/kind-fields";
import { MASK } from "@/lib/providers/secret";

const LIST = "/dashboard/merchants";
const LONGEST_NAME = 100;
const UNCHANGED = {
  name: undefined,
  priority: undefined,
  credentials: undefined,
  options: undefined,
  acquirer: undefined,
  paused: undefined,
};

export async function createMerchantAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("merchants.edit", async ({ ctx }) => {
    const parsed = newMerchant.safeParse({ name: textOf(form, "name"), mcc: textOf(form, "mcc") });
    if (!parsed.success) return unfit(form, parsed.error);
    const { merchant } = await createMerchant(ctx, parsed.data);
    return redirect(`${LIST}/${merchant.id}?done=created`);
  });
}

export async function updateMerchantAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("merchants.edit", async ({ ctx }) => {
    const id = textOf(form, "id");
    const parsed = merchantChanges.safeParse({
      name: textOf(form, "name") || undefined,
      mcc: textOf(form, "mcc"),
      merchantName: textOf(form, "merchantName") || undefined,
      merchantUrl: textOf(form, "merchantUrl") || undefined,
      status: textOf(form, "status") === "yes",
    });
    if (!parsed.success) return unfit(form, parsed.error);
    await updateMerchant(ctx, id, parsed.data);
    return redirect(`${LIST}/${id}?done=saved`);
  });
}

/** What buyers are written of their subscriptions, and whether they may cancel them. */
export async function changeSubscriptionMailsAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("merchants.edit", async ({ ctx }) => {
    const id = textOf(form, "id");
    const subscriptionMails = Object.fromEntries(
      SUBSCRIPTION_MAILS.map((kind) => [kind, textOf(form, kind) === "yes"]),
    );
    const buyerMayCancel = textOf(form, "buyerMayCancel") === "yes";
    await updateMerchant(ctx, id, merchantChanges.parse({ subscriptionMails, buyerMayCancel }));
    return redirect(`${LIST}/${id}?done=saved`);
  });
}

/** How the merchant's sellers are paid, and the account that a bank pays them from; what is left empty stays. */
export async function changePayoutsAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("merchants.edit", async ({ ctx }): Promise<TaskState> => {
    const id = textOf(form, "id");
    const payoutRail = textOf(form, "payoutRail");
    const names = Object.keys(PAYOUT_FIELDS);
    const typed = Object.fromEntries(
      names.flatMap((name): [string, string][] => {
        const value = textOf(form, name).trim();
        return value === "" ? [] : [[name, value]];
      }),
    );
    const { merchant } = await getMerchant(ctx, id);
    const isFile = payoutRail === "file";
    const isSent = isFile && (Object.keys(typed).length > 0 || merchant.payoutAccount === null);
    const parsed = merchantChanges.safeParse({ payoutRail, ...(isSent ? { payoutAccount: typed } : {}) });
    if (!parsed.success) {
      const t = await merchantWords();
      const wrong = new Set(parsed.error.issues.map(({ path }) => path[1]));
      const problems = Object.entries(PAYOUT_FIELDS).filter(([name]) => wrong.has(name));
      return {
        problems: Object.fromEntries(problems.map(([name, { problem }]) => [name, t(problem)])),
        given: { payoutRail, ...typed },
      };
    }
    await updateMerchant(ctx, id, parsed.data);
    return redirect(`/dashboard/merchants/${id}?done=saved`);
  });
}

const FIELD_PROBLEMS = {
  name: "nameProblem",
  mcc: "mccProblem",
  merchantName: "textProblem",
  merchantUrl: "urlProblem",
} as const;

async function unfit(form: FormData, { issues }: z.ZodError): Promise<TaskState> {
  const t = await getTranslations("merchants");
  const wrong = new Set(issues.map(({ path: [name] }) => name));
  const fields = Object.entries(FIELD_PROBLEMS);
  return {
    problems: Object.fromEntries(fields.filter(([name]) => wrong.has(name)).map(([name, text]) => [name, t(text)])),
    given: {
      status: textOf(form, "status"),
      ...Object.fromEntries(fields.map(([name]) => [name, textOf(form, name)])),
    },
  };
}

export async function deleteMerchantAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("merchants.edit", async ({ ctx }) => {
    const id = textOf(form, "id");
    const { merchant } = await getMerchant(ctx, id);
    if (textOf(form, "typed") !== (merchant.name ?? merchant.id)) {
      const t = await getTranslations("merchants");
      return { problems: { typed: t("typedProblem") }, given: { typed: textOf(form, "typed") } };
    }
    await deleteMerchant(ctx, id);
    return redirect(`${LIST}?done=deleted`);
  });
}

export async function addProviderAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("merchants.edit", async ({ ctx, account }) => {
    const merchantId = textOf(form, "id");
    const kind = textOf(form, "kind");
    if (!isRegistrable(kind)) throw invalid("type");
    const { providers } = await getMerchant(ctx, merchantId);
    const priority = 1 + Math.max(0, ...providers.map((each) => each.priority));
    const given = memberNames(kind).flatMap((name): [string, string][] => {
      const value = textOf(form, `credential.${name}`);
      return value === "" ? [] : [[name, value]];
    });
    const isTest = account.mode === "sandbox" && !kind.startsWith("SANDBOX");
    const { id } = await createProvider(ctx, merchantId, {
      ...UNCHANGED,
      name: textOf(form, "name").slice(0, LONGEST_NAME) || unusedProviderName(kind, namesOf(providers)),
      priority,
      credentials: { type: kind, ...Object.fromEntries(given), ...(isTest ? { environment: "test" } : {}) },
    });
    return redirect(`${LIST}/${merchantId}?done=${await provenAs(ctx, id)}`);
  });
}

/** The first thing that is known of new credentials. What cannot be tested, or is tested too often, says nothing against them. */
async function provenAs(ctx: Context, providerId: string): Promise<"provider" | "unproven" | "unreached"> {
  try {
    const { passed, words } = await testConnection(ctx, providerId);
    if (passed !== false) return "provider";
    return isUnreached(words) ? "unreached" : "unproven";
  } catch (thrown) {
    if (thrown instanceof RequestError || thrown instanceof DomainError) return "provider";
    throw thrown;
  }
}

const namesOf = (providers: readonly { name: string }[]): string[] => providers.map(({ name }) => name);

/** A member left empty keeps what is stored; everything given is sent. */
export async function changeProviderAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("merchants.edit", async ({ ctx }) => {
    const merchantId = textOf(form, "id");
    const provider = (await getMerchant(ctx, merchantId)).providers.find(
      (each) => each.id === textOf(form, "provider"),
    );
    if (!provider || !isRegistrable(provider.kind)) throw invalid("provider");
    const stored = new Set(provider.credentialMembers);
    const names = [...new Set([...memberNames(provider.kind), ...provider.credentialMembers])];
    const given = names.flatMap((name): [string, string][] => {
      const value = textOf(form, `credential.${name}`);
      return value !== "" ? [[name, value]] : stored.has(name) ? [[name, MASK]] : [];
    });
    const name = textOf(form, "name").slice(0, LONGEST_NAME) || provider.name;
    const credentials = { type: provider.kind, ...Object.fromEntries(given) };
    const isRotated = given.some(([, value]) => value !== MASK);
    const waits = isRotated && (await needsSecondPerson(ctx));
    await updateProvider(ctx, provider.id, { ...UNCHANGED, name, ...(waits ? {} : { credentials }) });
    if (waits) await askRotation(ctx, provider.id, credentials);
    return redirect(`${LIST}/${merchantId}?done=${waits ? "waiting" : "saved"}`);
  });
}

export async function removeProviderAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("merchants.edit", async ({ ctx }) => {
    const merchantId = textOf(form, "id");
    await removeProvider(ctx, textOf(form, "provider"));
    return redirect(`${LIST}/${merchantId}?done=removed`);
  });
}

/** The second person's word on new credentials. */
export async function endRotationAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("merchants.edit", async ({ ctx }): Promise<TaskState> => {
    const isConfirmed = textOf(form, "how") === "confirm";
    return unlessOver(async () => {
      await endRotation(ctx, textOf(form, "rotation"), isConfirmed ? "confirmed" : "refused");
      return redirect(`${LIST}/${textOf(form, "id")}?done=${isConfirmed ? "rotated" : "refused"}`);
    });
  });
}

/** Calls the provider now, with what is stored. */
export async function testProviderAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("merchants.edit", async ({ ctx }): Promise<TaskState> => {
    const t = await getTranslations("merchants");
    let tested: ConnectionTest;
    try {
      tested = await testConnection(ctx, textOf(form, "provider"));
    } catch (thrown) {
      if (thrown instanceof RequestError && thrown.status === 429) return { problem: t("testTooOften") };
      throw thrown;
    }
    if (tested.passed === false) {
      revalidatePath(`${LIST}/${textOf(form, "id")}`);
      return { problem: t(isUnreached(tested.words) ? "testedUnreached" : "testedFailed") };
    }
    return redirect(`${LIST}/${textOf(form, "id")}?done=${tested.passed ? "tested" : "untested"}`);
  });
}

/** The order in which providers are tried, as dragged or moved; the ids must be those of the merchant. */
export async function orderProvidersAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("merchants.edit", async ({ ctx }) => {
    const merchantId = textOf(form, "id");
    const order = textOf(form, "order").split(",");
    await inTransaction(ctx, async (inside) => {
      const known = await providersOfMerchants(inside, [merchantId]);
      if (known.length !== order.length || known.some(({ id }) => !order.includes(id))) throw invalid("order");
      for (const [index, id] of order.entries()) {
        const provider = known.find((each) => each.id === id);
        if (provider && provider.priority !== index + 1)
          await updateProvider(inside, id, { ...UNCHANGED, priority: index + 1 });
      }
    });
    return redirect(`${LIST}/${merchantId}?done=order`);
  });
}
