import { Composer, Document, Parser, YAMLParseError } from "yaml";
import { limits } from "../../flow/flow";
import { findAliasMistake } from "./check-aliases";

/**
 * The first document of a YAML text, with its syntax errors in `errors`. Duplicate keys are left to the readers. A text
 * that nests deeper than `limits.nesting`, or whose aliases never end or repeat too much, has no contents: reading it
 * would use up the stack or the memory. `lenient`: further documents are ignored without an error.
 */
export function parseYaml(text: string, { lenient = false }: { lenient?: boolean } = {}): Document {
  return withoutStacks(() => parse(text, lenient));
}

/** Mistakes of a text are errors of the library: their stacks, which no one reads, take longer than everything else. */
function withoutStacks<Result>(work: () => Result): Result {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function parse(text: string, lenient: boolean): Document {
  const composer = new Composer({ prettyErrors: false, uniqueKeys: false });
  try {
    const [document = new Document(), second] = composer.compose(new ShallowParser().parse(text), true, text.length);
    if (second && !lenient)
      document.errors.push(
        new YAMLParseError(
          [second.range[0], second.range[1]],
          "MULTIPLE_DOCS",
          "A second document begins here (`---`); a flow file holds one.",
        ),
      );
    const mistake = text.includes("*") ? findAliasMistake(document) : null;
    return mistake ? unreadable(mistake) : document;
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    return unreadable(new YAMLParseError([error.offset, error.offset + 1], "RESOURCE_EXHAUSTION", error.message));
  }
}

const unreadable = (error: YAMLParseError): Document => Object.assign(new Document(), { errors: [error] });

class TooDeep extends Error {
  constructor(readonly offset: number) {
    super(`Something is inside more than ${limits.nesting} others here. Nest it less deep.`);
  }
}

class ShallowParser extends Parser {
  override *next(source: string): ReturnType<Parser["next"]> {
    yield* super.next(source);
    if (this.stack.length > limits.nesting) throw new TooDeep(this.offset);
  }
}
