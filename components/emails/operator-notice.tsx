import { Action, Anchor, type Fact, Facts, Note, Paragraph, Title } from "@/components/emails/parts";
import type { EmailTemplate, Letter } from "@/components/emails/template";
import { getTranslations, shownInstant } from "@/components/emails/words";
import { noticeTexts } from "@/components/notices/texts";

type Notice = Letter<"operator-notice">["data"]["notices"][number];

const says = ({ data, locale }: Pick<Letter<"operator-notice">, "data" | "locale">) => {
  const { say } = noticeTexts(locale);
  return {
    all: say(data.kind, data.notices[0] ?? {}, data.count),
    one: (notice: Notice) => say(data.kind, notice),
  };
};

export const template: EmailTemplate<"operator-notice"> = {
  subject: ({ data, locale }) =>
    getTranslations("notices", locale)("mailSubject", {
      account: data.accountName,
      what: says({ data, locale }).all,
    }),
  preview: ({ data, locale }) => getTranslations("notices", locale)("mailPreview", { account: data.accountName }),
  Body(letter) {
    const { data, locale, look } = letter;
    const t = getTranslations("notices", locale);
    const said = says({ data, locale });
    return (
      <>
        <Title look={look}>{said.all}</Title>
        {data.count === 1 ? null : <Paragraph look={look}>{t("mailBody", { account: data.accountName })}</Paragraph>}
        <Facts
          look={look}
          facts={
            data.count === 1
              ? onlyOne(letter)
              : data.notices.map((notice) => [shownInstant(notice.at, locale), said.one(notice)])
          }
        />
        {data.count > data.notices.length ? (
          <Paragraph look={look}>{t("mailMore", { count: data.count - data.notices.length })}</Paragraph>
        ) : null}
        <Action look={look} href={data.url}>
          {t("mailAction")}
        </Action>
        <Note look={look}>{t("mailNote")}</Note>
        {data.choicesUrl ? (
          <Note look={look}>
            <Anchor look={look} href={data.choicesUrl}>
              {t("mailChoose")}
            </Anchor>
          </Note>
        ) : null}
      </>
    );
  },
  unsubscribe: ({ data }) => data.choicesUrl,
};

/** The title has said it. */
function onlyOne({ data, locale }: Letter<"operator-notice">): Fact[] {
  const texts = getTranslations("operatorMail", locale);
  const at = data.notices[0]?.at;
  return [
    [texts("account"), data.accountName],
    [texts("when"), at ? texts("saoPauloTime", { at: shownInstant(at, locale) }) : null],
  ];
}
