import { describe, expect, it } from "vitest";
import type { JsonSchema } from "@/lib/core/flow/flow";
import { hasSameArguments, readArgumentsDraft, startArguments } from "./arguments-draft";

const schema: JsonSchema = {
  type: "object",
  properties: {
    url: { type: "string", description: "The address" },
    method: { type: "string", enum: ["GET", "POST"] },
    tries: { type: "integer" },
    follow: { type: "boolean" },
    headers: { type: "array", items: { type: "string" } },
    note: { type: "string" },
  },
  required: ["url", "tries"],
};

function startFields(text: string) {
  const draft = startArguments(schema, text);
  if (draft.type !== "fields") throw new Error("expected fields");
  return draft;
}

const type = (text: string, texts: Record<string, string>) => {
  const draft = startFields(text);
  return readArgumentsDraft({ ...draft, texts: { ...draft.texts, ...texts } });
};

describe("the arguments of a tool call as fields", () => {
  it("show one text for each property and come back as the same arguments", () => {
    const text = '{"url": "https://example.com", "tries": 3, "follow": true, "headers": ["a: b"]}';
    const draft = startFields(text);
    expect(draft.texts).toEqual({
      url: "https://example.com",
      method: "",
      tries: "3",
      follow: "true",
      headers: '[\n  "a: b"\n]',
      note: "",
    });
    const read = readArgumentsDraft(draft);
    expect(read.ok && hasSameArguments(read.text, text)).toBe(true);
  });

  it("keep an argument that the schema does not declare", () => {
    expect(type('{"url":"u","tries":1,"trace":{"id":7}}', {})).toEqual({
      ok: true,
      text: '{"url":"u","tries":1,"trace":{"id":7}}',
    });
  });

  it("leave an optional field out when it is empty, and keep an empty required text", () => {
    expect(type('{"url":"u","method":"GET","tries":1}', { method: "", url: "" })).toEqual({
      ok: true,
      text: '{"url":"","tries":1}',
    });
  });

  it("stay as the model wrote them where no field is edited", () => {
    for (const text of [
      '{"url":"u","tries":1,"note":""}',
      '{ "url": "", "tries": 1, "method": "" }',
      '{"url":"u","tries":12345678901234567890}',
      '{"url":7,"tries":"1","follow":null,"headers":{}}',
      '{"url":"u"}',
    ])
      expect(readArgumentsDraft(startFields(text))).toEqual({ ok: true, text });
  });

  it("keep each field that is not edited, also an empty optional text", () => {
    expect(type('{"url":"u","tries":1,"method":"","note":"","follow":null}', { tries: "2" })).toEqual({
      ok: true,
      text: '{"url":"u","tries":2,"method":"","note":"","follow":null}',
    });
    const draft = startFields('{"url":"u","tries":1,"method":""}');
    const typed = { ...draft, texts: { ...draft.texts, method: "GET" } };
    const emptied = { ...typed, texts: { ...typed.texts, method: "", tries: "2" } };
    expect(readArgumentsDraft(emptied)).toEqual({ ok: true, text: '{"url":"u","tries":2,"method":""}' });
  });

  it("name each field that cannot be read", () => {
    expect(type('{"url":"u","tries":1}', { tries: "1.5", follow: "perhaps", headers: "{}" })).toEqual({
      ok: false,
      problems: [
        { field: "tries", message: "Expected a whole number." },
        { field: "follow", message: "Expected true or false." },
        { field: "headers", message: "Expected a JSON list." },
      ],
    });
    expect(type('{"url":"u","tries":1}', { tries: " " })).toEqual({
      ok: false,
      problems: [{ field: "tries", message: "Required." }],
    });
  });

  it("are one JSON text where there is no schema, or the arguments are no object", () => {
    expect(startArguments(undefined, '{"a":1}')).toEqual({ type: "json", text: '{"a":1}' });
    expect(startArguments(schema, "half {")).toEqual({ type: "json", text: "half {" });
    expect(startArguments(schema, "[1]")).toEqual({ type: "json", text: "[1]" });
    expect(readArgumentsDraft({ type: "json", text: "half {" })).toEqual({
      ok: false,
      problems: [{ field: "", message: "Expected a JSON object." }],
    });
  });

  it("equal others whatever their spacing and order", () => {
    expect(hasSameArguments('{"a": 1, "b": [1, 2]}', '{"b":[1,2],"a":1}')).toBe(true);
    expect(hasSameArguments('{"b":[2,1]}', '{"b":[1,2]}')).toBe(false);
  });
});
