import "server-only";

export interface CappedBody {
  bytes: Uint8Array;
  /** There was more than the limit. */
  isCut: boolean;
}

/** The first `limit` bytes of a body; what comes after them is never read. */
export async function readCapped(body: AsyncIterable<Uint8Array> | null, limit: number): Promise<CappedBody> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > limit) break;
  }
  return { bytes: Buffer.concat(chunks).subarray(0, limit), isCut: length > limit };
}

/** Text in the charset that the content type names, else UTF-8; null when the bytes are no text. */
export function decodeBody({ bytes, isCut }: CappedBody, contentType: string): string | null {
  const charset = /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1] ?? "utf-8";
  const decoder = findDecoder(charset);
  const isWide = decoder.encoding.startsWith("utf-16");
  if (!isWide && bytes.subarray(0, 8192).includes(0)) return null;
  return decoder.decode(bytes, { stream: isCut });
}

function findDecoder(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch (error) {
    if (error instanceof RangeError) return new TextDecoder();
    throw error;
  }
}
