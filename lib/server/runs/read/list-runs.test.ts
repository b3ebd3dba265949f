import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { RunFilter } from "@/lib/core/trace/model/run-filter";
import { localTeamId, localViewer, toTeamViewer, type Viewer } from "../../auth/viewer";
import { toCsvLine } from "../../csv";
import { getDb } from "../../db";
import { purgeFlow, trashFlow } from "../../flows/trash";
import { startServices } from "../../start";
import { insertRuns, type RunSketch } from "../testing/insert-runs";
import { exportRuns } from "./export-csv";
import { listRunChoices, listRuns, readLastInput } from "./list-runs";
import type { RunQuery } from "./run-conditions";
import { summarizeRuns } from "./summarize-runs";

const other = toTeamViewer({ id: "mia", name: "Mia" }, { teamId: "elsewhere", role: "editor" });
const sketches: RunSketch[] = [
  { id: "A", at: "2026-03-01T08:00:00Z", input: "Looms of ÄRMEL", models: ["openai:gpt"], usage: { cost: 0.5 } },
  { id: "B", at: "2026-03-01T09:00:00Z", status: "FAILED", error: "rate-limit", models: ["openai:gpt-mini"] },
  { id: "C", at: "2026-03-02T08:00:00Z", output: "A quiet LOOM, 100%", usage: { cost: null, calls: 1, input: 7 } },
  {
    id: "D",
    at: "2026-03-02T08:00:00Z",
    output: "1000 threads",
    by: "ben",
    usage: { cost: 2, output: 5, isCostPartial: true },
  },
  { id: "E", at: "2026-03-02T23:30:00Z", status: "TIMEOUT", error: "timeout", durationMs: 60_000 },
  { id: "F", at: "2026-03-04T10:00:00Z", status: "RUNNING", durationMs: null, usage: { cost: 0 } },
  { id: "G", at: "2026-03-04T11:00:00Z", status: "CANCELLED", error: "cancelled", input: "a_b" },
];

let flow = "";
beforeAll(async () => {
  await startServices();
  await globalThis.swarmloomServices?.endRuns();
  flow = await insertRuns(sketches);
  await insertRuns([{ id: "foreign", teamId: "elsewhere", input: "looms" }]);
});

const idsOf = async (query: RunQuery, viewer = localViewer): Promise<string> =>
  (await listRuns(viewer, { flow, ...query })).runs.map(({ id }) => id).join("");

test.each<[filter: RunFilter, ids: string]>([
  [{}, "GFEDCBA"],
  [{ status: "FAILED" }, "B"],
  [{ error: "timeout" }, "E"],
  [{ person: "ben" }, "D"],
  [{ model: "openai:gpt" }, "A"],
  [{ model: "gpt" }, ""],
  [{ from: "2026-03-02T08:00:00Z", to: "2026-03-04T12:00:00+02:00" }, "EDC"],
  [{ from: "2026-03-04T10:00:00.001Z" }, "G"],
  [{ costFrom: "0.5" }, "DA"],
  [{ costTo: "0.5", from: "2026-03-02T00:00:00Z" }, "GFE"],
  [{ q: "loom" }, "CA"],
  [{ q: "ärmel" }, "A"],
  [{ q: "LOOM quiet" }, "C"],
  [{ q: "100%" }, "C"],
  [{ q: "a_b" }, "G"],
  [{ q: "it's; DROP TABLE" }, ""],
  [{ since: "24h" }, ""],
  [{ status: "TIMEOUT", q: "loom" }, ""],
])("%o", async (filter, ids) => {
  expect(await idsOf(filter)).toBe(ids);
  expect((await summarizeRuns(localViewer, { flow, ...filter })).totals.runs).toBe(ids.length);
});

test("a row that does not fit its schema is listed as unreadable, and every other as it is", async () => {
  const db = await getDb();
  const broken = await insertRuns([
    { id: "bad-usage", at: "2026-03-05T08:00:00Z", input: "kept" },
    { id: "bad-status", at: "2026-03-05T07:00:00Z" },
    { id: "bad-error", at: "2026-03-05T06:00:00Z", status: "FAILED", error: "timeout" },
    { id: "whole", at: "2026-03-05T05:00:00Z", usage: { cost: 3 } },
  ]);
  const change = (id: string, data: object) => db.run.update({ where: { id }, data });
  await change("bad-usage", { usage: "no JSON" });
  await change("bad-status", { status: "BROKEN", output: "no JSON" });
  await change("bad-error", { error: '{"code":7}' });
  const { runs } = await listRuns(localViewer, { flow: broken });
  expect(runs.map(({ id, status, error }) => [id, status, error?.code])).toEqual([
    ["bad-usage", "SUCCESS", "unreadable"],
    ["bad-status", "FAILED", "unreadable"],
    ["bad-error", "FAILED", "unreadable"],
    ["whole", "SUCCESS", undefined],
  ]);
  expect(runs[0]).toMatchObject({
    input: { text: "kept" },
    error: { message: expect.stringMatching(/cannot be read/) },
  });
  expect(runs[3]).toMatchObject({ usage: { cost: 3 } });
  const csv = await new Response(await exportRuns(localViewer, { flow: broken })).text();
  expect(csv.match(/unreadable/g)).toHaveLength(3);
});

test("no viewer sees runs of another team, not even by a name, and a viewer without teams sees none", async () => {
  const run = async (viewer: Viewer, id: string) => (await listRuns(viewer, { id })).runs.length;
  expect([await run(other, "foreign"), await run(other, "A"), await run(localViewer, "foreign")]).toEqual([1, 0, 0]);
  expect((await listRuns({ ...other, roles: new Map() })).runs).toEqual([]);
  expect((await summarizeRuns(other, {})).totals.runs).toBe(1);
  expect((await listRunChoices(other)).models).toEqual([]);
  expect(await read(await exportRuns(other, {}))).not.toContain("Looms of");
});

test("runs that were started long ago are outside of a time span, new ones are in it", async () => {
  const recent = await insertRuns([{ at: new Date(Date.now() - 3 * 3_600_000).toISOString() }]);
  const counts = [];
  for (const since of ["1h", "24h", "30d"] as const)
    counts.push((await listRuns(localViewer, { flow: recent, since })).runs.length);
  expect(counts).toEqual([0, 1, 1]);
});

test("a page after another shows each run once, whatever is started or deleted meanwhile", async () => {
  const at = "2026-05-01T00:00:00Z";
  const many = await insertRuns(Array.from({ length: 25 }, (_, i) => ({ id: `p${String(i).padStart(2, "0")}`, at })));
  const seen: string[] = [];
  let before: string | undefined;
  do {
    const page = await listRuns(localViewer, { flow: many, limit: 10, before });
    seen.push(...page.runs.map(({ id }) => id));
    before = page.next ?? undefined;
    const db = await startServices();
    const last = await db.run.findUniqueOrThrow({ where: { id: "p24" } });
    await db.run.create({ data: { ...last, id: `new-${seen.length}`, createdAt: new Date("2026-05-02T00:00:00Z") } });
  } while (before !== undefined);
  expect(seen).toEqual(Array.from({ length: 25 }, (_, i) => `p${String(24 - i).padStart(2, "0")}`));
  await trashFlow(localViewer, many);
  await purgeFlow(localViewer, many);
});

test("of a long input a list holds the beginning and how long it is", async () => {
  const long = await insertRuns([{ input: "x".repeat(50_000) }]);
  const [run] = (await listRuns(localViewer, { flow: long })).runs;
  expect(run?.input).toEqual({ text: "x".repeat(16_384), length: 50_000 });
});

test("what there is to choose", async () => {
  const { people, models, errors } = await listRunChoices(localViewer);
  expect(people).toEqual([
    { id: "ben", name: "ben" },
    { id: "local", name: "You" },
  ]);
  expect(models).toEqual(["openai:gpt", "openai:gpt-mini"]);
  expect(errors).toEqual(["cancelled", "rate-limit", "timeout"]);
});

describe("totals", () => {
  test("over the filter, unknown cost apart", async () => {
    const { totals } = await summarizeRuns(localViewer, { flow });
    expect(totals).toMatchObject({
      runs: 7,
      cost: 2.5,
      unpriced: 1,
      partlyPriced: 1,
      tokens: 12,
      medianMs: 1000,
      p95Ms: 60_000,
    });
    expect(totals.byStatus).toMatchObject({ SUCCESS: 3, FAILED: 1, TIMEOUT: 1, RUNNING: 1, CANCELLED: 1, WAITING: 0 });
    expect(totals.failureRate).toBeCloseTo(2 / 5);
  });

  test("of nothing", async () => {
    const { totals, days, daysCut } = await summarizeRuns(localViewer, { flow, q: "nowhere" });
    expect(totals).toMatchObject({ runs: 0, cost: 0, unpriced: 0, medianMs: null, p95Ms: null, failureRate: null });
    expect([days, daysCut]).toEqual([[], false]);
  });

  test("day by day, in the reader's time zone", async () => {
    const days = async (zone?: string) =>
      (await summarizeRuns(localViewer, { flow }, zone)).days.map(({ date, runs }) => `${date} ${runs}`);
    expect(await days()).toEqual(["2026-03-01 2", "2026-03-02 3", "2026-03-03 0", "2026-03-04 2"]);
    expect(await days("Europe/Berlin")).toEqual(["2026-03-01 2", "2026-03-02 2", "2026-03-03 1", "2026-03-04 2"]);
    await expect(days("Middle/Earth")).rejects.toThrow("expected a time zone");
  });

  test("of a long time: the latest days only, and marks it", async () => {
    const long = await insertRuns([{ at: "2020-01-01T00:00:00Z" }, { at: "2026-01-01T00:00:00Z" }]);
    const { totals, days, daysCut } = await summarizeRuns(localViewer, { flow: long });
    expect([totals.runs, days.length, days.at(-1)?.date, daysCut]).toEqual([2, 92, "2026-01-01", true]);
  });

  test("median and p95 are the nearest rank, the days add up, and the list holds as many runs", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ ms: fc.integer({ min: 0, max: 50 }), hour: fc.integer({ min: 0, max: 100 }) }), {
          minLength: 1,
          maxLength: 30,
        }),
        async (runs) => {
          const at = (hour: number) => new Date(Date.UTC(2026, 2, 28, hour)).toISOString();
          const id = await insertRuns(runs.map(({ ms, hour }) => ({ durationMs: ms, at: at(hour) })));
          const { totals, days } = await summarizeRuns(localViewer, { flow: id }, "Europe/Berlin");
          const sorted = runs.map(({ ms }) => ms).sort((a, b) => a - b);
          expect(totals.medianMs).toBe(sorted[Math.ceil(0.5 * runs.length) - 1]);
          expect(totals.p95Ms).toBe(sorted[Math.ceil(0.95 * runs.length) - 1]);
          expect(days.reduce((sum, day) => sum + day.runs, 0)).toBe(runs.length);
          expect((await listRuns(localViewer, { flow: id })).runs).toHaveLength(runs.length);
          await trashFlow(localViewer, id);
          await purgeFlow(localViewer, id);
        },
      ),
      { numRuns: 25 },
    );
  });
});

const read = (body: ReadableStream<Uint8Array>): Promise<string> =>
  new Response(body).arrayBuffer().then((bytes) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));

describe("CSV", () => {
  test("every run of the filter in pages, with a byte order mark and one head", async () => {
    const many = await insertRuns(Array.from({ length: 450 }, (_, i) => ({ input: `row ${i}`, output: "out" })));
    const text = await read(await exportRuns(localViewer, { flow: many }));
    expect(text.startsWith("\uFEFFrun,flow,flow_id,")).toBe(true);
    const lines = text.split("\r\n");
    expect(lines).toHaveLength(452);
    expect(new Set(lines.map((line) => /row \d+/.exec(line)?.[0])).size).toBe(451);
    expect(lines.filter((line) => line.startsWith("\uFEFF"))).toHaveLength(1);
    await trashFlow(localViewer, many);
    await purgeFlow(localViewer, many);
  });

  test("unknown cost is an empty cell, and no run at all is the head alone", async () => {
    const text = await read(await exportRuns(localViewer, { flow, q: "quiet" }));
    const [head = "", row = ""] = text.split("\r\n");
    expect(row.split(",")[head.split(",").indexOf("cost_usd")]).toBe("");
    expect((await read(await exportRuns(localViewer, { flow, q: "nowhere" }))).split("\r\n")).toHaveLength(2);
  });

  test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\ta", "\ra"])("a formula is text: %j", (text) => {
    expect(toCsvLine([text]).replaceAll('"', "")).toBe(`'${text}\r\n`);
  });

  test.each([
    ["a;=1+1", "a;'=1+1"],
    ["a;;-1;+2", "a;;'-1;'+2"],
    ["a\t@SUM(A1)", "a\t'@SUM(A1)"],
    ["a\n=1\r\n=2\r=3", "a\n'=1\r\n'=2\r'=3"],
    ["a; =1", "a; '=1"],
    ['a;"=1"', "a;'=1"],
    ["a;\u200b\0=1", "a;\u200b\0'=1"],
    ["\t=1", "'\t'=1"],
    ["a;＝1", "a;'＝1"],
    ["a=1; b-2, -3 - @", "a=1; b-2, -3 - @"],
  ])("so is one where another separator would begin a cell: %j", (text, expected) => {
    expect(toCsvLine([text]).replaceAll('"', "").slice(0, -2)).toBe(expected);
  });

  test("no cell begins with a formula, whichever separator a spreadsheet reads the file by, quotes or not", () => {
    const text = fc.string({ unit: fc.constantFrom(..."ab,;\t\"\r\n '=+-@") });
    fc.assert(
      fc.property(fc.array(text, { minLength: 1 }), (cells) => {
        for (const separator of [/[;\r\n]/, /[\t\r\n]/])
          for (const [nth, cell] of toCsvLine(cells).split(separator).entries())
            if (nth > 0) expect(cell).not.toMatch(/^[\s"]*[=+\-@]/);
        for (const cell of readLine(toCsvLine(cells))) expect(cell).not.toMatch(/^[\s"]*[=+\-@]/);
      }),
    );
  });

  test("the longest text of separators takes time as its length, not as its square, which would take minutes", () => {
    for (const text of [";", "\n", " ", ';"', "\t "])
      expect(toCsvLine([text.repeat(1_000_000)]).length).toBeGreaterThan(1_000_000);
  });

  test("what is written is read back by RFC 4180, formulas aside", () => {
    const text = fc.string({ unit: fc.constantFrom(..."ab,\"\r\n '=é😀") });
    fc.assert(
      fc.property(fc.array(text, { minLength: 1 }), (cells) => {
        const withoutMarks = (texts: readonly string[]) => texts.map((one) => one.replaceAll("'", ""));
        expect(withoutMarks(readLine(toCsvLine(cells)))).toEqual(withoutMarks(cells));
        const plain = cells.map((cell) => cell.replaceAll("=", "").replace(/^\r+/, ""));
        expect(readLine(toCsvLine(plain))).toEqual(plain);
      }),
    );
  });
});

/** RFC 4180's grammar of one record. */
function readLine(line: string): string[] {
  const cells: string[] = [];
  let rest = line;
  for (;;) {
    const [whole = "", quoted, plain] = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))/.exec(rest) ?? [];
    cells.push(quoted?.replaceAll('""', '"') ?? plain ?? "");
    rest = rest.slice(whole.length);
    if (rest === "\r\n") return cells;
    expect(rest[0]).toBe(",");
    rest = rest.slice(1);
  }
}

test("the last input of a flow is the viewer's own, whoever ran it since", async () => {
  const ben = toTeamViewer({ id: "ben", name: "Ben" }, { teamId: localTeamId, role: "editor" });
  const asked = await insertRuns([
    { id: "own", at: "2026-04-01T08:00:00Z", input: "Mine" },
    { id: "bens", at: "2026-04-01T09:00:00Z", input: "Ben's", by: "ben" },
    { id: "visitors", at: "2026-04-01T10:00:00Z", input: "How many bees?", by: "link:1" },
    { id: "scheduled", at: "2026-04-01T11:00:00Z", input: "Weekly report", by: "schedule:1" },
  ]);
  expect(await readLastInput(localViewer, asked)).toBe("Mine");
  expect(await readLastInput(ben, asked)).toBe("Ben's");
  expect(await readLastInput(localViewer, await insertRuns([{ id: "visitors-only", input: "x", by: "link:1" }]))).toBe(
    "",
  );
  const long = await insertRuns([{ id: "long", input: "x".repeat(100_000) }]);
  expect(await readLastInput(localViewer, long)).toBe("");
});
