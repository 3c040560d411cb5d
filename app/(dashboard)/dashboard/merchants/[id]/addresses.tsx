import { getTranslations } from "next-intl/server";
import { Card, CardBody, CardHeader } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import { env } from "@/lib/env";
import { notificationsUrlOf } from "@/lib/providers/notification";

/** Where each provider sends its notifications; nothing for a merchant whose providers need none. */
export async function NotificationAddresses({ providers }: { providers: readonly { id: string; name: string }[] }) {
  if (providers.length === 0) return null;
  const t = await getTranslations("merchants");
  return (
    <Card>
      <CardHeader title={t("addresses")} description={t("addressesText")} />
      <CardBody>
        <ul className="grid gap-4">
          {providers.map(({ id, name }) => {
            const address = notificationsUrlOf(env().BASE_URL, id);
            return (
              <li key={id} className="flex items-start gap-2">
                <span className="grid min-w-0 flex-1 gap-1 text-sm">
                  <span className="font-medium text-ink">{name}</span>
                  <code className="break-all font-mono text-ink-2 text-xs">{address}</code>
                </span>
                <CopyButton text={address} label={t("addressCopy", { name })} />
              </li>
            );
          })}
        </ul>
      </CardBody>
    </Card>
  );
}
