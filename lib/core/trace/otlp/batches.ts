/** Most spans, and UTF-16 units of their text, in one request; a span that is longer than that goes alone. */
const most = { spans: 500, length: 1_000_000 };

/** Texts of spans in groups that a collector takes in one request. */
export async function* toBatches(spans: AsyncIterable<string>): AsyncGenerator<string[]> {
  let batch: string[] = [];
  let length = 0;
  for await (const span of spans) {
    if (batch.length > 0 && (batch.length >= most.spans || length + span.length > most.length)) {
      yield batch;
      batch = [];
      length = 0;
    }
    batch.push(span);
    length += span.length;
  }
  if (batch.length > 0) yield batch;
}
