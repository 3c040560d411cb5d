import { endpoint } from "@/app/api/endpoint";
import { fieldsBody, fieldsQuery } from "@/lib/reports/schema";
import { serializeFields } from "@/lib/reports/serializer";

export const GET = endpoint({
  method: "GET",
  path: "/v1/reports/fields",
  tag: "Reports",
  summary: "List the fields of a type",
  access: ["reports"],
  query: fieldsQuery,
  reply: fieldsBody,
  status: 200,
  examples: { transactions: { summary: "One row for each charge", query: { type: "transactions" } } },
  handle: async (_, { query }) => serializeFields(query.type),
});
