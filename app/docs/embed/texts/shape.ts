/** Each row has two columns. */
type Rows = readonly (readonly string[])[];

export interface EmbedTexts {
  title: string;
  start: string;
  contents: string;
  navigation: string;
  reference: string;
  lead: string;
  page: { title: string; before: string; after: string };
  site: { title: string; paragraphs: readonly string[]; before: string; after: string };
  attributes: { title: string; name: string; meaning: string; rows: Rows };
  events: {
    title: string;
    before: string;
    name: string;
    meaning: string;
    rows: Rows;
    states: { name: string; meaning: string; rows: Rows };
    listen: string;
    after: string;
  };
  safety: { title: string; paragraphs: readonly string[] };
}
