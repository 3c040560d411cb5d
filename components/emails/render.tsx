import { plainTextSelectors, render } from "react-email";
import { Layout } from "@/components/emails/layout";
import { TEMPLATES } from "@/components/emails/registry";
import type { EmailTemplate } from "@/components/emails/template";
import { solvePalette } from "@/lib/branding/palette";
import type { RenderedMail } from "@/lib/mail/delivery";
import type { MailToRender } from "@/lib/mail/send";
import { isOperatorTemplate, type MailTemplate } from "@/lib/mail/templates";

/** The inline colours are the light ones: many clients read nothing else. */
export async function renderMail<T extends MailTemplate>(
  mail: MailToRender<T>,
): Promise<Omit<RenderedMail, "fromName">> {
  const { template, data, locale, brand, isTest } = mail;
  // Guarantee: the registry holds under each name the template of that name.
  const { subject, preview, Body, inline, unsubscribe } = TEMPLATES[template] as unknown as EmailTemplate<T>;
  const letter = { data, locale, brand, look: solvePalette(brand.colours, "light") };
  const page = (
    <Layout {...letter} preview={preview(letter)} isTest={isTest} isOwn={isOperatorTemplate(template)}>
      <Body {...letter} />
    </Layout>
  );
  const unsubscribeUrl = unsubscribe?.(letter);
  return {
    ...(unsubscribeUrl === undefined ? {} : { unsubscribeUrl }),
    subject: oneLine(subject(letter)),
    html: await render(page),
    text: await render(page, { plainText: true, htmlToTextOptions: AS_TEXT }),
    attachments: (await inline?.(letter)) ?? [],
  };
}

/** Nothing shouts, and a table of facts keeps its lines. */
const AS_TEXT = {
  selectors: [
    ...plainTextSelectors,
    ...["h1", "h2"].map((selector) => ({ selector, options: { uppercase: false } })),
    { selector: "table.facts", format: "dataTable", options: { colSpacing: 2, maxColumnWidth: 80 } },
  ],
};

const LONGEST_SUBJECT = 200;
const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim().slice(0, LONGEST_SUBJECT);
