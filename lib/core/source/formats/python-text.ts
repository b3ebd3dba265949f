import { findFreeName } from "../../flow/free-name";

/** Words that a variable of a Python module cannot be called, and names that the export uses itself. */
const reservedNames = [
  ..."False None True and as assert async await break class continue def del elif else except finally for from".split(
    " ",
  ),
  ..."global if import in is lambda nonlocal not or pass raise return try while with yield match case type".split(" "),
  ..."Agent HumanInputTool ParallelGroup SerialGroup Swarm SwarmNode tool run print swarm".split(" "),
];

/** Makes Python variables of names, each its own. */
export class Identifiers {
  readonly #used = new Set(reservedNames);

  take(name: string): string {
    const plain = name
      .normalize("NFKD")
      .replaceAll(/[^A-Za-z0-9_]+/g, "_")
      .replaceAll(/^_+|_+$/g, "")
      .slice(0, 60);
    const start = /^[A-Za-z]/.test(plain) ? plain : `node_${plain}`.replace(/_$/, "");
    const identifier = findFreeName(start, (name) => this.#used.has(name));
    this.#used.add(identifier);
    return identifier;
  }
}

/** A text as a Python string; JSON's escapes are Python's, too. */
export const toPythonString = (text: string): string => JSON.stringify(text).replaceAll("\u007f", "\\x7f");

/** A text as the value of an argument: one of several lines becomes strings side by side. */
export function toPythonText(text: string, margin: string): string {
  const lines = text.split(/(?<=\n)/);
  if (lines.length < 2) return toPythonString(text);
  const innerMargin = `${margin}    `;
  return `(\n${lines.map((line) => innerMargin + toPythonString(line)).join("\n")}\n${margin})`;
}

/** `call(\n    key=value,\n)`, or on one line where it is short. Arguments without a value are left out. */
export function toPythonCall(name: string, values: Readonly<Record<string, string | undefined>>): string {
  const callArguments = Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : `${key}=${value}`,
  );
  const line = `${name}(${callArguments.join(", ")})`;
  if (line.length <= 88 && !line.includes("\n")) return line;
  return `${name}(\n${callArguments.map((callArgument) => `    ${callArgument},`).join("\n")}\n)`;
}

export const toPythonList = (items: readonly string[]): string => `[${items.join(", ")}]`;

/** A comment; whatever a text holds, it stays one. */
export const toPythonComment = (text: string): string =>
  text
    .split(/\r\n|[\p{Cc}\u2028\u2029]/u)
    .map((line) => `# ${line}`.trimEnd())
    .join("\n");

/** The placeholder of a tool that Swarmloom has and Orbiter has not. */
export const toolStub = (variable: string, name: string): string =>
  [
    "@tool",
    `def ${variable}(input: str) -> str:`,
    `    """Stands in for Swarmloom's tool ${name.replaceAll(/[^\w .-]/g, "_")}: put your own code here."""`,
    `    raise NotImplementedError(${toPythonString(name)})`,
  ].join("\n");

/** The tool of such a placeholder; null when the function is none. */
export const stubToolName = (code: string): string | null =>
  /^@tool\s+def \w+\(input: str\) -> str:\s+"""Stands in for Swarmloom's tool [\w .-]*: put your own code here\."""\s+raise NotImplementedError\("((?:[^"\\\n]|\\["\\])*)"\)\s*$/
    .exec(code)?.[1]
    ?.replaceAll(/\\(["\\])/g, "$1") ?? null;

/** The name of a group that represents names side by side (or one after another) in a line. */
export const inlineName = (type: "parallel" | "serial", names: readonly string[]): string | null => {
  const name = names.join(type === "parallel" ? " + " : " then ");
  return name.length <= 200 ? name : null;
};
