import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { TaskInput } from "@/components/tasks/task-input";

test("choices in groups stand each under its heading, as a group of its own", () => {
  const html = renderToStaticMarkup(
    <TaskInput
      field={{
        name: "rights",
        label: "Permissions",
        kind: "choices",
        initial: "b",
        groups: [
          { label: "Operation", options: [{ value: "a", label: "See payments" }] },
          { label: "Money", options: [{ value: "b", label: "See payouts" }] },
        ],
      }}
      given={undefined}
      problem={undefined}
    />,
  );
  const inner = [...html.matchAll(/<fieldset class="mt-1"><legend[^>]*>([^<]+)<\/legend>(.*?)<\/fieldset>/g)];
  expect(inner.map(([, legend]) => legend)).toEqual(["Operation", "Money"]);
  expect(inner.map(([, , boxes]) => boxes?.includes('checked=""'))).toEqual([false, true]);
});

test("the problem of a field leads on where it has a link", () => {
  const html = renderToStaticMarkup(
    <TaskInput
      field={{ name: "document", label: "CPF" }}
      given="1"
      problem="Somebody has it."
      link={{ text: "See who", href: "/dashboard/sellers/1" }}
    />,
  );
  expect(html).toMatch(/Somebody has it\. <a [^>]*href="\/dashboard\/sellers\/1"[^>]*>See who<\/a>/);
});
