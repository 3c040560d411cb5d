/** Code, not prose: the same in every language. */
export const listChargesCommand = (baseUrl: string, clientId: string): string =>
  [`curl "${baseUrl}/v1/charges" \\`, `  -H "X-Client-Id: ${clientId}" \\`, '  -H "X-Api-Key: $API_KEY"'].join("\n");
