import type { DeclinedCode, PlatformDeclineCode } from "@/lib/declines/decline-codes";

export type DeclineCode = DeclinedCode | PlatformDeclineCode;

const CARTAO = "cartao(?: de (?:credito|debito))?";
const CARD = "(?:credit |debit )?card";
/** "Pagamento no cartão cancelado", "canceled card payments": what was canceled is the payment. */
const OF_PAYMENT = "(?<!(?:pagamento|pedido)s? (?:no|em|de|do|por) )";
const BEFORE_PAYMENT = "(?! (?:payment|order|purchase|charge|transaction)s?(?: |$))";

/**
 * How people say why a payment was declined, in small letters without accents: as its row says it and in fewer words.
 * What may as well mean a state is left to the states, but where a card is what was canceled.
 */
const SAID: readonly (readonly [DeclineCode, string])[] = [
  [
    "insufficient_funds",
    "(saldo|limite)( ou (saldo|limite))? insuficiente|(sem|falta de) (saldo|limite)|insufficient (funds|limit|balance)( or limit)?",
  ],
  ["expired_card", `${CARTAO} (venceu|(esta )?vencido|(foi )?expirado|expirou)|expired ${CARD}|${CARD} (has )?expired`],
  ["blocked_card", `${CARTAO} (foi |esta )?bloqueado|blocked ${CARD}|${CARD} (was |is )?blocked`],
  [
    "canceled_card",
    `${OF_PAYMENT}${CARTAO} (foi |esta )?cancelado|cancell?ed ${CARD}${BEFORE_PAYMENT}|${CARD} (was |is )?cancell?ed`,
  ],
  ["restricted_card", `${CARTAO} (tem restricao|com restricao|restrito)|restricted ${CARD}|${CARD} (is )?restricted`],
  ["lost_card", "cartao (foi informado como )?perdido|lost card|card (was reported )?lost"],
  ["stolen_card", "cartao (foi informado como )?roubado|stolen card|card (was reported )?stolen"],
  [
    "invalid_cvv",
    "(codigo de seguranca|cvv) (esta )?(errado|invalido|incorreto)|(wrong|invalid|incorrect) (security code|cvv)|(security code|cvv)( \\(cvv\\))? (is )?(wrong|invalid|incorrect)",
  ],
  [
    "invalid_number",
    "numero do cartao (esta )?(errado|invalido|incorreto)|(wrong|invalid|incorrect) card number|card number (is )?(wrong|invalid|incorrect)",
  ],
  [
    "invalid_pin",
    "senha (do cartao )?(esta )?(errada|invalida|incorreta)|(wrong|invalid|incorrect) pin|pin (is )?(wrong|invalid|incorrect)",
  ],
  ["fraud_suspect", "suspeita de fraude|suspected fraud|issuer suspects fraud|fraud suspect(ed)?"],
  ["fraud_confirmed", "fraude confirmada|emissor confirmou fraude|(issuer )?confirmed fraud"],
  ["issuer_not_available", "emissor (nao respondeu|(estava )?indisponivel)|issuer (was )?unavailable"],
  ["timeout", "provedor nao respondeu( a tempo)?|provider did not answer( in time)?"],
];

const PATTERNS = SAID.map(
  ([code, said]) =>
    [code, new RegExp(`(?:^| )(?:(?:o|a|the|por|com|de|for|with) )*(?:${said}|${code})\\.?(?= |$)`)] as const,
);

const plain = (text: string): string => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();

/** The reason that is said, and what is left of the words without it. */
export function declineSaid(text: string): { code: DeclineCode; rest: string } | undefined {
  const words = text.split(/\s+/).filter(Boolean);
  const said = words.map(plain).join(" ");
  for (const [code, pattern] of PATTERNS) {
    const match = pattern.exec(said);
    if (!match) continue;
    const wordsIn = (part: string) => part.split(" ").filter(Boolean).length;
    words.splice(wordsIn(said.slice(0, match.index)), wordsIn(match[0]));
    return { code, rest: words.join(" ") };
  }
  return undefined;
}
