/** A 32-bit hash of a text (FNV-1a over UTF-16 units). */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/** By which a text is recognised among a few others. */
export const toFingerprint = (text: string): string => `${text.length}-${hashText(text)}`;
