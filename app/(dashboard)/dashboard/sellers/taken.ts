import { getTranslations } from "next-intl/server";
import { givenIn, type TypedMember } from "@/app/(dashboard)/dashboard/sellers/typed";
import { textOf } from "@/app/(dashboard)/task";
import type { TaskState } from "@/components/tasks/task-form";
import { type Context, inTransaction } from "@/lib/context";
import { DomainError } from "@/lib/errors";
import { may } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { sellerWithDocument } from "@/lib/sellers/queries";

const DOCUMENTS = ["business.document.number", "owner.document.number"] as const;

interface SellerForm {
  ctx: Context;
  role: OperatorRole;
  merchantId: string;
  form: FormData;
  members: readonly TypedMember[];
}

/** That another seller has the document is said beside its field, and leads there whoever may see sellers. */
export async function unlessTaken(
  { ctx, role, merchantId, form, members }: SellerForm,
  work: () => Promise<TaskState>,
): Promise<TaskState> {
  try {
    return await work();
  } catch (thrown) {
    // A company is known by its own document, anybody else by the owner's.
    const field = DOCUMENTS.find((name) => textOf(form, name) !== "");
    if (!field || !(thrown instanceof DomainError && thrown.businessCode === "seller_already_exists")) throw thrown;
    const t = await getTranslations("sellers");
    const id = may(role, "sellers.see")
      ? await inTransaction(ctx, (inside) => sellerWithDocument(inside, merchantId, textOf(form, field)))
      : undefined;
    return {
      problem: t("unfit"),
      problems: { [field]: t("exists") },
      links: id ? { [field]: { text: t("existing"), href: `/dashboard/sellers/${id}` } } : {},
      given: givenIn(form, members),
    };
  }
}
