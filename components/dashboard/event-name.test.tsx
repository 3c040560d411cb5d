import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { DataList } from "@/components/dashboard/data-list";
import { EventName } from "@/components/dashboard/event-name";

test("the name of an event breaks after its dots and underscores alone, in a list's column too", () => {
  const html = renderToStaticMarkup(
    <DataList
      caption="Deliveries"
      columns={[{ key: "event", title: "Event", isWhole: true }]}
      rows={[{ id: "1", cells: [<EventName key="event" name="transaction.pre_authorized" />] }]}
    />,
  );
  expect(html).toContain('<span class="wrap-normal">transaction.<wbr/>pre_<wbr/>authorized</span>');
});
