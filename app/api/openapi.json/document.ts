import { ENDPOINTS } from "@/app/api/endpoints";
import { webhookDocuments, webhookSchemas } from "@/lib/event-catalogue/webhook-documents";
import { openApiDocument } from "@/lib/http/openapi";

/** The document of this product: every endpoint and every event. */
export const productDocument = () =>
  openApiDocument(
    ENDPOINTS.map(({ spec }) => spec),
    { schemas: webhookSchemas, documents: webhookDocuments },
  );
