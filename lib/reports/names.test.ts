import { expect, test } from "vitest";
import { REPORT_TYPES } from "@/db/schema/reports";
import { columnName } from "@/lib/reports/types/names";
import { offeredColumns, sourceOf } from "@/lib/reports/types/registry";

test.each(REPORT_TYPES)("each column of %s has a name of its own for people, in both languages", (type) => {
  const columns = offeredColumns(sourceOf(type));
  for (const language of ["en", "pt"] as const) {
    const names = columns.map((column) => columnName(column, language));
    expect(names.filter((name) => !/^(\p{Lu}|NSU)/u.test(name) || name.includes("_"))).toEqual([]);
    // Beside those of a payment, a bare "Status" would not say of what.
    if (type !== "transactions" && type !== "transactionsHistory")
      expect(names.filter((name) => /^(Status|Situação)$/.test(name))).toEqual([]);
    if (language === "en") expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  }
});
