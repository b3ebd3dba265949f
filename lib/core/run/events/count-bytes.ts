const encoder = new TextEncoder();

/** The length of a text in UTF-8 bytes. */
export const countBytes = (text: string): number => encoder.encode(text).length;
