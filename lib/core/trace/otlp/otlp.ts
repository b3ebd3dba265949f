/**
 * The part of OTLP/JSON that is written here (opentelemetry-proto v1, `ExportTraceServiceRequest`). Ids are hexadecimal,
 * 64-bit numbers are decimal texts, as its JSON form asks for.
 */
export interface TraceRequest {
  resourceSpans: readonly {
    resource: { attributes: readonly Attribute[] };
    scopeSpans: readonly {
      scope: { name: string };
      spans: readonly Span[];
      schemaUrl: string;
    }[];
  }[];
}

export interface Span {
  /** 16 bytes. */
  traceId: string;
  /** 8 bytes. */
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: (typeof spanKinds)[keyof typeof spanKinds];
  /** Nanoseconds since the epoch. */
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: readonly Attribute[];
  events: readonly SpanEvent[];
  status: { code?: typeof statusError; message?: string };
}

export interface SpanEvent {
  timeUnixNano: string;
  name: string;
  attributes: readonly Attribute[];
}

export interface Attribute {
  key: string;
  value: AttributeValue;
}

export type AttributeValue =
  | { stringValue: string }
  | { boolValue: boolean }
  | { intValue: string }
  | { doubleValue: number }
  | { arrayValue: { values: readonly { stringValue: string }[] } };

export const spanKinds = { internal: 1, client: 3 } as const;

/** A span that went well leaves its status unset, as instrumentation should. */
export const statusError = 2;

/** What an attribute may be given as; undefined leaves it out. `int` marks a whole number. */
export type Given = string | boolean | number | { int: number } | readonly string[] | undefined;

/** The attributes that are known, in the order written. Numbers that are none are left out. */
export const toAttributes = (given: Readonly<Record<string, Given>>): Attribute[] =>
  Object.entries(given).flatMap(([key, one]) => {
    const value = toValue(one);
    return value ? [{ key, value }] : [];
  });

function toValue(given: Given): AttributeValue | null {
  if (given === undefined) return null;
  if (typeof given === "string") return { stringValue: given };
  if (typeof given === "boolean") return { boolValue: given };
  if (typeof given === "number") return Number.isFinite(given) ? { doubleValue: given } : null;
  if ("int" in given) return Number.isSafeInteger(given.int) ? { intValue: String(given.int) } : null;
  return { arrayValue: { values: given.map((stringValue) => ({ stringValue })) } };
}

/** Milliseconds since the epoch as nanoseconds; a time that is none, or before the epoch, is the epoch. */
export const toNano = (ms: number): string => (ms >= 1 && ms < 1e13 ? `${Math.trunc(ms * 1000)}000` : "0");
