/** Of a list that holds every live provider of its merchants, first tried first. */
export interface ListedProvider {
  id: string;
  name: string;
  merchantId: string;
}

/** What is missing in a name that several providers of the list have. */
export interface Distinction {
  /** From 1, as the merchant's page numbers its providers; undefined where its merchant has no other of that name. */
  place: number | undefined;
  /** Providers of other merchants have the name too. */
  isOfMerchants: boolean;
}

/** By id: where two providers in the list have one name, what tells each from the others. */
export function distinctionsOf(providers: readonly ListedProvider[]): Map<string, Distinction> {
  const found = new Map<string, Distinction>();
  for (const provider of providers) {
    const { id, name, merchantId } = provider;
    const twins = providers.filter((one) => one.name === name);
    if (twins.length === 1) continue;
    const ofMerchant = providers.filter((one) => one.merchantId === merchantId);
    const isTwin = twins.filter((one) => one.merchantId === merchantId).length > 1;
    found.set(id, {
      place: isTwin ? ofMerchant.indexOf(provider) + 1 : undefined,
      isOfMerchants: twins.some((one) => one.merchantId !== merchantId),
    });
  }
  return found;
}
