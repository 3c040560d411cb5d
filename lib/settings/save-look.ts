import { and, eq, isNotNull } from "drizzle-orm";
import { z } from "zod";
import { storedFiles } from "@/db/schema/files";
import { type Context, inTransaction } from "@/lib/context";
import { invalid } from "@/lib/errors";
import { type KeptLogo, keepLogo } from "@/lib/settings/logo";
import type { Look } from "@/lib/settings/look";
import { settingsInput } from "@/lib/settings/schema";
import { lockScope, save } from "@/lib/settings/service";
import { isOwnName } from "@/lib/storage/names";
import { fileStore } from "@/lib/storage/storage";

/** The whole look of a scope, as a person sees it in one form: an empty field is left to what stands behind it. */
export interface LookInput extends Omit<Look, "logo"> {
  /** The name of a picture stored a moment ago; `keep` is the one it has. */
  logo: "keep" | "none" | { file: string };
}

const EMAIL = z.email().max(254);

/** The names of fields that do not fit; the rules are those of the API. */
export function lookProblems({ colours, siteUrl, supportEmail, leastPart }: LookInput): string[] {
  const given = { ...colours, companyUrl: siteUrl };
  const filled = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value ?? ""]));
  const parsed = settingsInput.safeParse(filled);
  const wrong = parsed.success ? [] : parsed.error.issues.map(({ path }) => String(path[0]));
  return [
    ...wrong,
    ...(supportEmail !== null && !EMAIL.safeParse(supportEmail).success ? ["supportEmail"] : []),
    ...(leastPart !== null && !(Number.isSafeInteger(leastPart) && leastPart >= 0) ? ["leastPart"] : []),
  ];
}

export async function saveLook(ctx: Context, merchantId: string | null, input: LookInput): Promise<void> {
  const problems = lookProblems(input);
  if (problems.length > 0) throw invalid(...problems);
  const { colours, siteUrl, supportEmail, severalCards, leastPart, captcha } = input;
  const logo = await logoColumns(ctx, input.logo);
  await inTransaction(ctx, async (inside) => {
    const before = await lockScope(inside, merchantId);
    await save(inside, merchantId, before, {
      ...colours,
      companyUrl: siteUrl,
      supportEmail,
      severalCards,
      leastPart,
      captcha,
      ...logo,
    });
  });
}

async function logoColumns(ctx: Context, logo: LookInput["logo"]) {
  if (logo === "keep") return {};
  if (logo === "none") return { logoFile: null, logoWidth: null, logoHeight: null };
  const { file, width, height } = await uploaded(ctx, logo.file);
  return { logoFile: file, logoWidth: width, logoHeight: height };
}

/** A picture of this account that nothing points to yet; its measures are read from it, not believed. */
async function uploaded(ctx: Context, file: string): Promise<{ file: string; width: number; height: number }> {
  const name = `logo/${file}`;
  const [row] = isOwnName(name)
    ? await inTransaction(ctx, ({ db, account }) =>
        db
          .select({ id: storedFiles.id })
          .from(storedFiles)
          .where(
            and(eq(storedFiles.clientId, account.id), eq(storedFiles.name, name), isNotNull(storedFiles.expiresAt)),
          ),
      )
    : [];
  const bytes = row && (await fileStore().get(name));
  if (!bytes) throw invalid("logo: was not uploaded");
  const { default: sharp } = await import("sharp");
  const { width, height } = await sharp(bytes).metadata();
  return { file, width, height };
}

/** The same picture once more under a name of its own: what one shop replaces, the other keeps. */
export async function copyLogo(ctx: Context, file: string): Promise<KeptLogo> {
  const bytes = await fileStore().get(`logo/${file}`);
  if (!bytes) throw invalid("logo: is gone");
  return keepLogo(ctx, bytes);
}
