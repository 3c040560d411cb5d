/** Shell commands shown to newcomers. They are code, not prose, and the same in every language. */

/** Reads what the first start wrote: an expression of JavaScript that names its file. */
export const keysCommand = (file: string): string => `export $(node -p 'd = require(${file});
  \`TRILHO=\${d.baseUrl} MERCHANT_ID=\${d.merchantId}
   CLIENT_ID=\${d.clientId} API_KEY=\${d.apiKey}\`')`;

/** The ids of one account; its secret key is known to nobody but who keeps it. */
export const ownKeysCommand = (baseUrl: string, clientId: string, merchantId = ""): string =>
  [
    `export TRILHO=${baseUrl}`,
    `export CLIENT_ID=${clientId}`,
    `export MERCHANT_ID=${merchantId}`,
    "export API_KEY=",
  ].join("\n");

const post = (path: string, orderId: string, body: string): string =>
  [
    `curl "$TRILHO${path}" \\`,
    `  -H "X-Client-Id: $CLIENT_ID" -H "X-Api-Key: $API_KEY" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -H "X-Idempotency-Key: ${orderId}" -d @- <<JSON`,
    body,
    "JSON",
  ].join("\n");

const BUYER = `"paymentSource": {
    "sourceType": "customer",
    "customer": {
      "name": "Ana Souza",
      "email": "ana@example.com",
      "phoneNumber": "11987654321",
      "document": { "type": "CPF", "number": "52998224725" }
    }
  }`;

export const cardCommand = post(
  "/v1/charges",
  "order-1001",
  `{
  "merchantId": "$MERCHANT_ID",
  "amount": 10500,
  "capture": true,
  "paymentMethod": { "paymentType": "credit", "installments": 3 },
  "paymentSource": {
    "sourceType": "card",
    "card": {
      "cardHolderName": "Ana Souza",
      "cardNumber": "4111220000000002",
      "cardExpirationDate": "12/2030",
      "cardCvv": "120"
    }
  }
}`,
);

export const pixCommand = post(
  "/v1/charges",
  "order-1002",
  `{
  "merchantId": "$MERCHANT_ID",
  "amount": 4990,
  "paymentMethod": { "paymentType": "pix", "expiresIn": 3600 },
  ${BUYER}
}`,
);

/** CHARGE_ID is the `id` of the answer before. */
export const payPixCommand = `curl -X POST "$TRILHO/v1/sandbox/pix/$CHARGE_ID/pay" \\
  -H "X-Client-Id: $CLIENT_ID" -H "X-Api-Key: $API_KEY"`;

export const boletoCommand = post(
  "/v1/charges",
  "order-1003",
  `{
  "merchantId": "$MERCHANT_ID",
  "amount": 25000,
  "paymentMethod": {
    "paymentType": "boleto",
    "instructions": "Pagar até o vencimento"
  },
  ${BUYER}
}`,
);
