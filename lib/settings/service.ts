import { and, eq, isNull, or, type SQL, sql } from "drizzle-orm";
import { linkSettings } from "@/db/schema/settings";
import { audit } from "@/lib/audit";
import type { Context } from "@/lib/context";
import { DomainError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { findMerchant } from "@/lib/merchants/queries";
import type { KeptLogo } from "@/lib/settings/logo";
import type { SettingsInput } from "@/lib/settings/schema";
import { type SettingsRow, serializeSettings } from "@/lib/settings/serializer";
import { claimFile, expireFile } from "@/lib/storage/files";
import { DAY_SECONDS, realNow } from "@/lib/time";

/** E-mails that were sent show the logo that was. */
const OLD_LOGO_SECONDS = 90 * DAY_SECONDS;

export interface SettingsChange {
  /** Null is the account's default. */
  merchantId: string | null;
  fields: SettingsInput;
  /** Stored before the transaction that points to it. */
  logo: KeptLogo | undefined;
}

/** The look of the scope, whatever it was before. */
export async function replaceSettings(
  ctx: Context,
  { merchantId, fields, logo }: SettingsChange,
): Promise<SettingsRow> {
  const before = await lockScope(ctx, merchantId);
  return save(ctx, merchantId, before, { ...NOTHING_SET, ...set(fields), ...logoColumns(logo) });
}

/** Members that are sent change, the others stay: empty ones count as not sent. */
export async function changeSettings(ctx: Context, { merchantId, fields, logo }: SettingsChange): Promise<SettingsRow> {
  const changes = set(fields);
  const before = await lockScope(ctx, merchantId);
  if (Object.keys(changes).length === 0 && !logo)
    throw new DomainError("settings_no_effective_field", "no field would change anything");
  if (!before) throw new DomainError("settings_not_found", "settings not found");
  return save(ctx, merchantId, before, { ...changes, ...(logo ? logoColumns(logo) : {}) });
}

/** The merchant's own, with the account's default behind each part of it; else that default alone. */
export async function readSettings(ctx: Context, merchantId: string | null): Promise<SettingsRow> {
  await checkMerchant(ctx, merchantId);
  const [row, behind] = await ctx.db
    .select()
    .from(linkSettings)
    .where(
      and(
        eq(linkSettings.clientId, ctx.account.id),
        merchantId === null
          ? isNull(linkSettings.merchantId)
          : or(eq(linkSettings.merchantId, merchantId), isNull(linkSettings.merchantId)),
      ),
    )
    .orderBy(sql`${linkSettings.merchantId} nulls last`)
    .limit(2);
  if (!row) throw new DomainError("settings_not_found", "settings not found");
  if (!behind) return row;
  const set = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
  return { ...behind, ...set };
}

export type Columns = Partial<typeof linkSettings.$inferInsert>;

const NOTHING_SET = {
  mainColor: null,
  secondaryColor: null,
  attentionColor: null,
  errorColor: null,
  successColor: null,
  backgroundColor: null,
  companyUrl: null,
  mastercardClickToPayDpaid: null,
  logoFile: null,
  logoWidth: null,
  logoHeight: null,
} as const satisfies Columns;

const set = (fields: SettingsInput): Columns =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

const logoColumns = (logo: KeptLogo | undefined): Columns =>
  logo ? { logoFile: logo.file, logoWidth: logo.width, logoHeight: logo.height } : {};

async function checkMerchant(ctx: Context, merchantId: string | null): Promise<void> {
  if (merchantId !== null && !(await findMerchant(ctx, merchantId)))
    throw new DomainError("merchant_not_found", "merchant not found");
}

/** One writer of an account's looks at a time, so that no replaced logo is left behind. */
export async function lockScope(ctx: Context, merchantId: string | null): Promise<SettingsRow | undefined> {
  await ctx.db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`link_settings:${ctx.account.id}`}, 0))`);
  await checkMerchant(ctx, merchantId);
  const [row] = await ctx.db.select().from(linkSettings).where(scopeOf(ctx, merchantId)).for("update");
  return row;
}

const scopeOf = (ctx: Context, merchantId: string | null): SQL | undefined =>
  and(
    eq(linkSettings.clientId, ctx.account.id),
    merchantId === null ? isNull(linkSettings.merchantId) : eq(linkSettings.merchantId, merchantId),
  );

export async function save(
  ctx: Context,
  merchantId: string | null,
  before: SettingsRow | undefined,
  columns: Columns,
): Promise<SettingsRow> {
  const at = realNow();
  const [saved] = before
    ? await ctx.db
        .update(linkSettings)
        .set({ ...columns, updatedAt: at })
        .where(eq(linkSettings.id, before.id))
        .returning()
    : await ctx.db
        .insert(linkSettings)
        .values({ ...columns, id: newId(), clientId: ctx.account.id, merchantId, createdAt: at, updatedAt: at })
        .returning();
  if (!saved) throw new Error("the settings row was locked and is gone");
  if (saved.logoFile !== null && saved.logoFile !== before?.logoFile) await claimFile(ctx, `logo/${saved.logoFile}`);
  if (before?.logoFile && before.logoFile !== saved.logoFile)
    await expireFile(ctx, `logo/${before.logoFile}`, OLD_LOGO_SECONDS);
  await audit(ctx, {
    action: before ? "link_settings.update" : "link_settings.create",
    object: "link_settings",
    objectId: saved.id,
    ...(before ? { before: shown(before) } : {}),
    after: shown(saved),
  });
  return saved;
}

const shown = (row: SettingsRow) => ({
  ...serializeSettings(row),
  supportEmail: row.supportEmail,
  severalCards: row.severalCards,
  leastPart: row.leastPart,
  captcha: row.captcha,
});
