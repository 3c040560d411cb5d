import { audit } from "@/lib/audit";
import { type Context, inTransaction } from "@/lib/context";
import { notFound } from "@/lib/errors";
import { demand } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { contentOf, type FileContent } from "@/lib/sellers/document-content";
import { documentAt } from "@/lib/sellers/documents";

/** What a document shows, for a person who may; that they looked is written down before they see it. */
export async function lookAt(ctx: Context, role: OperatorRole, id: string): Promise<FileContent> {
  demand(role, "sellers.documents", "document");
  return inTransaction(ctx, async (inside) => {
    const document = await documentAt(inside, id);
    const content = document.sellerId === null ? undefined : await contentOf(inside, id);
    if (!content) throw notFound("document");
    await audit(inside, {
      action: "seller_document.view",
      object: "seller",
      objectId: document.sellerId ?? id,
      after: { documentId: id, type: document.type },
    });
    return content;
  });
}
