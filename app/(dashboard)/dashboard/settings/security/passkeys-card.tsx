import { Fingerprint, Plus } from "lucide-react";
import { getFormatter, getTranslations } from "next-intl/server";
import type { RealTime } from "@/app/(dashboard)/real-time";
import { Card, CardHeader } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import type { Passkey } from "@/lib/sign-in/passkeys";
import { realNow } from "@/lib/time";

const PAGE = "/dashboard/settings/security";

/** The keys that devices hold for this person. */
export async function PasskeysCard({ keys, real }: { keys: readonly Passkey[]; real: RealTime }) {
  const [t, format] = await Promise.all([getTranslations("security"), getFormatter()]);
  return (
    <Card>
      <CardHeader
        title={t("passkeys")}
        description={t("passkeysText")}
        actions={
          <LinkButton href={`${PAGE}?do=add-passkey`} scroll={false} size="sm">
            <Plus aria-hidden />
            {t("passkeyAdd")}
          </LinkButton>
        }
      />
      {keys.length === 0 ? (
        <p className="px-5 py-4 text-ink-2 text-sm">{t("passkeysNone")}</p>
      ) : (
        <ul className="divide-y divide-line">
          {keys.map(({ id, name, createdAt, lastUsedAt }) => (
            <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3">
              <Fingerprint aria-hidden className="size-4 shrink-0 text-ink-3" />
              <span className="min-w-0 flex-1 basis-40">
                <span className="block truncate font-medium text-ink text-sm">{name}</span>
                <span className="block text-ink-2 text-xs">
                  {t("passkeySince", { date: real.text(createdAt, true) })}{" "}
                  {lastUsedAt
                    ? t("passkeyUsed", { when: format.relativeTime(lastUsedAt, realNow()) })
                    : t("passkeyUnused")}
                </span>
              </span>
              <span className="flex gap-1">
                <LinkButton href={`${PAGE}?do=name-passkey&id=${id}`} scroll={false} size="sm" tone="quiet">
                  {t("passkeyRename")}
                  <span className="sr-only">{name}</span>
                </LinkButton>
                <LinkButton href={`${PAGE}?do=remove-passkey&id=${id}`} scroll={false} size="sm" tone="quiet">
                  {t("remove")}
                  <span className="sr-only">{name}</span>
                </LinkButton>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
