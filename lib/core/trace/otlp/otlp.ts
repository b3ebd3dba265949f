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

type AttributeValue =
  | { stringValue: string }
  | { boolValue: boolean }
  | { intValue: string }
  | { doubleValue: number }
  | { arrayValue: { values: readonly { stringValue: string }[] } };

export const spanKinds = { internal: 1, client: 3 } as const;

/** A span that went well leaves its status unset, as instrumentation should. */
export const statusError = 2;

/** What an attribute may be given as; undefined leaves it out. `int` marks a whole number. */
export type AttributeInput = string | boolean | number | { int: number } | readonly string[] | undefined;

/** The attributes that are known, in the order written. Numbers that are none are left out. */
export const toAttributes = (attributes: Readonly<Record<string, AttributeInput>>): Attribute[] =>
  Object.entries(attributes).flatMap(([key, input]) => {
    const value = toValue(input);
    return value ? [{ key, value }] : [];
  });

function toValue(input: AttributeInput): AttributeValue | null {
  if (input === undefined) return null;
  if (typeof input === "string") return { stringValue: input };
  if (typeof input === "boolean") return { boolValue: input };
  if (typeof input === "number") return Number.isFinite(input) ? { doubleValue: input } : null;
  if ("int" in input) return Number.isSafeInteger(input.int) ? { intValue: String(input.int) } : null;
  return { arrayValue: { values: input.map((stringValue) => ({ stringValue })) } };
}

/** Milliseconds since the epoch as nanoseconds; a time that is none, or before the epoch, is the epoch. */
export const toNano = (ms: number): string => (ms >= 1 && ms < 1e13 ? `${Math.trunc(ms * 1000)}000` : "0");
