import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { openCardsAction, turnLinkAction } from "@/app/(dashboard)/dashboard/links/actions";
import { TaskButton } from "@/components/tasks/task-button";
import { Card, CardHeader } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import type { LinkState } from "@/lib/sessions/state";

interface StopsProps {
  id: string;
  path: string;
  state: LinkState;
  takesCards: boolean;
  areCardsClosed: boolean;
}

/** The ways to stop a link, each with what it stops and whether that can be undone. */
export async function Stops({ id, path, state, takesCards, areCardsClosed }: StopsProps) {
  const t = await getTranslations("links");
  const cards = areCardsClosed ? (
    <TaskButton text={t("openCards")} hidden={{ id }} onAct={openCardsAction} />
  ) : (
    <LinkButton href={`${path}?do=pause`} scroll={false}>
      {t("closeCards")}
    </LinkButton>
  );
  return (
    <Card>
      <CardHeader title={t("stops")} description={t("stopsText")} />
      <ul className="divide-y divide-line">
        {takesCards ? <Way text={t(areCardsClosed ? "openCardsText" : "closeCardsText")}>{cards}</Way> : null}
        {state === "open" ? (
          <Way text={t("turnOffText")}>
            <LinkButton href={`${path}?do=off`} scroll={false}>
              {t("turnOff")}
            </LinkButton>
          </Way>
        ) : state === "off" ? (
          <Way text={t("turnOnText")}>
            <TaskButton text={t("turnOn")} hidden={{ id, how: "on" }} onAct={turnLinkAction} />
          </Way>
        ) : state === "in_use" ? (
          <Way title={t("turnOff")} text={t("turnOffLater")} />
        ) : null}
        <Way text={t("cancelHint")}>
          <LinkButton href={`${path}?do=cancel`} scroll={false}>
            {t("cancel")}
          </LinkButton>
        </Way>
      </ul>
    </Card>
  );
}

function Way({ title, text, children }: { title?: string; text: string; children?: ReactNode }) {
  return (
    <li className="grid justify-items-start gap-2 px-5 py-3.5">
      {title ? <span className="font-medium text-ink text-sm">{title}</span> : null}
      <p className="text-ink-2 text-sm">{text}</p>
      {children}
    </li>
  );
}
