import { and, eq, isNull, or, sql } from "drizzle-orm";
import { z } from "zod";
import { linkSettings } from "@/db/schema/settings";
import { type Context, now } from "@/lib/context";
import { getSession } from "@/lib/sessions/queries";
import { sessionBody } from "@/lib/sessions/schema";
import { serializeSession } from "@/lib/sessions/serializer";
import { lookOfShop } from "@/lib/settings/brand";

const words = z.string().nullable();

const settingsBody = z
  .object({
    id: words,
    logo: words,
    mainColor: words,
    secondaryColor: words,
    SecondaryColor: words,
    attentionColor: words,
    errorColor: words,
    successColor: words,
    backgroundColor: words,
    companyName: words,
    companyUrl: words,
    email: words,
    phone: words,
    documentNumber: words,
    statementDescription: words,
    language: z.literal("pt_BR"),
    clientId: z.string(),
    merchantId: z.string(),
    mastercardClickToPayDpaid: words,
  })
  .meta({ id: "LinkSettings", description: "How the hosted page looks; null where the default applies." });

export const linkBody = sessionBody
  .extend({ settings: settingsBody })
  .meta({ id: "SessionLink", description: "What the hosted page loads." });

/** Readable in every status of the session: the page has something to say in each of them. */
export async function readLink(ctx: Context, id: string): Promise<z.input<typeof linkBody>> {
  const session = await getSession(ctx, id);
  const [own] = await ctx.db
    .select({ id: linkSettings.id, merchantId: linkSettings.merchantId, dpaId: linkSettings.mastercardClickToPayDpaid })
    .from(linkSettings)
    .where(
      and(
        eq(linkSettings.clientId, ctx.account.id),
        or(eq(linkSettings.merchantId, session.merchantId), isNull(linkSettings.merchantId)),
      ),
    )
    .orderBy(sql`${linkSettings.merchantId} nulls last`)
    .limit(1);
  const { name, logo, siteUrl, supportEmail, colours } = await lookOfShop(ctx, session.merchantId);
  return {
    ...serializeSession(session, now(ctx)),
    settings: {
      id: own?.id ?? null,
      logo: logo?.url ?? null,
      ...colours,
      SecondaryColor: colours.secondaryColor,
      companyName: name,
      companyUrl: siteUrl,
      email: supportEmail,
      phone: null,
      documentNumber: null,
      statementDescription: session.statementDescriptor,
      language: "pt_BR",
      clientId: session.clientId,
      merchantId: own?.merchantId ?? "",
      mastercardClickToPayDpaid: own?.dpaId ?? null,
    },
  };
}
