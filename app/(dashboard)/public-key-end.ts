const SHOWN_CHARS = 4;

/** Public keys have no names: people tell them apart by how they end. */
export const publicKeyEnd = (key: string): string => `…${key.slice(-SHOWN_CHARS)}`;
