import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { type Column, DataList } from "@/components/dashboard/data-list";

const LONG = "Kit de café especial torrado na fazenda, com moedor";
const tableOf = (columns: readonly Column[]) => {
  const page = renderToStaticMarkup(
    <DataList caption="Links" columns={columns} rows={[{ id: "1", cells: columns.map(() => LONG) }]} />,
  );
  const found = (tag: string) =>
    [...page.matchAll(new RegExp(`<${tag}\\b([^>]*)>`, "g"))].map(([, said = ""]) => ({
      names: (/class="([^"]*)"/.exec(said)?.[1] ?? "").split(" "),
      title: /title="([^"]*)"/.exec(said)?.[1],
    }));
  return { heads: found("th"), cells: found("td") };
};

test("a flexible column takes what the others leave, and says on hover what is cut off", () => {
  const { heads, cells } = tableOf([{ key: "name", title: "Name", isFlexible: true }]);
  for (const [each] of [heads, cells]) expect(each?.names).toEqual(expect.arrayContaining(["max-w-0", "truncate"]));
  expect(heads[0]?.title).toBe("Name");
  expect(cells[0]?.title).toBe(LONG);
});

test("a folded column stands on two lines where there is little room, its heading too", () => {
  const { heads, cells } = tableOf([{ key: "at", title: "Created", isFolded: true }]);
  for (const [each] of [heads, cells]) {
    expect(each?.names).toContain("whitespace-normal");
    expect(each?.names).not.toContain("truncate");
  }
  expect(cells[0]?.names).toContain("[&amp;_time]:whitespace-normal");
});

test("many columns stand closer together on middling screens", () => {
  const many = Array.from({ length: 8 }, (_, index) => ({ key: String(index), title: String(index) }));
  const close = (columns: readonly Column[]) =>
    tableOf(columns).cells.filter(({ names }) => names.some((name) => /^max-\[1440px\]:p[xlr]-2\.5$/.test(name)));
  expect(close(many)).toHaveLength(8);
  expect(close(many.slice(0, 5))).toHaveLength(0);
});
