/**
 * A number drawn from texts, the same whenever and wherever it is drawn: murmur3 of their UTF-16 units. It decides who
 * sees which side of a flow, so it may never change.
 */
export function drawn(...texts: readonly string[]): number {
  let hash = 0;
  let length = 0;
  for (const text of texts) {
    for (let at = 0; at < text.length; at++) hash = mixed(hash, text.charCodeAt(at));
    // No text can be taken for the end of another.
    hash = mixed(hash, 0x1_0000);
    length += text.length + 1;
  }
  return finished(hash ^ length);
}

const PERCENT = 100;
/** 0..99. */
export const drawnPercent = (...texts: readonly string[]): number => drawn(...texts) % PERCENT;

function mixed(hash: number, unit: number): number {
  let block = Math.imul(unit, 0xcc_9e_2d_51);
  block = (block << 15) | (block >>> 17);
  const next = hash ^ Math.imul(block, 0x1b_87_35_93);
  return (Math.imul((next << 13) | (next >>> 19), 5) + 0xe6_54_6b_64) | 0;
}

function finished(given: number): number {
  let hash = given ^ (given >>> 16);
  hash = Math.imul(hash, 0x85_eb_ca_6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2_b2_ae_35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
