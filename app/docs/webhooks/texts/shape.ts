/** A paragraph: `code` stands between backticks, [text](address) is a link. */
type Text = string;

export interface GuideTexts {
  title: Text;
  lead: Text;
  contents: Text;
  navigation: Text;
  reference: Text;
  start: Text;
  five: {
    title: Text;
    intro: Text;
    steps: readonly { text: Text; code?: string }[];
    after: Text;
  };
  register: { title: Text; paragraphs: readonly Text[]; code: string };
  delivery: { title: Text; rows: readonly (readonly string[])[] };
  schedule: { title: Text; intro: Text; attempt: Text; after: Text; delays: readonly Text[]; end: readonly Text[] };
  order: { title: Text; paragraphs: readonly Text[] };
  signatures: {
    title: Text;
    intro: Text;
    header: Text;
    value: Text;
    rows: readonly (readonly string[])[];
    end: Text;
  };
  verify: { title: Text; intro: Text; file: Text };
  again: { title: Text; paragraphs: readonly Text[]; code: string };
  addresses: { title: Text; paragraphs: readonly Text[] };
  catalogue: { title: Text; intro: Text; event: Text; when: Text; example: Text };
}
