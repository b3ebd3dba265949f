import { type FileComment, StyleChoices, type YamlTree } from "./yaml-tree.arbitrary";

export interface WrittenFile {
  text: string;
  /** By the word that the comment consists of. */
  comments: ReadonlyMap<string, FileComment>;
}

type Path = readonly string[];

const plainText = /^[A-Za-z_][\w ./>()|-]*[\w)]$/;
const plainInFlow = /^[A-Za-z_][\w ./>()-]*[\w)]$/;
const reserved = /^(?:true|false|null|yes|no)$/i;

/** Writes a tree as YAML, in the styles that the choices select. */
export function writeYaml(root: Extract<YamlTree, { type: "map" }>, numbers: readonly number[]): WrittenFile {
  const writer = new YamlWriter(new StyleChoices(numbers));
  return { text: writer.writeFile(root), comments: writer.comments };
}

class YamlWriter {
  readonly comments = new Map<string, FileComment>();
  /** Without it no comment is written. */
  #commentRate: number;
  #usesExplicitKeys: boolean;
  #step: number;

  constructor(private readonly choices: StyleChoices) {
    this.#commentRate = choices.pick([3, 2, 8, 0]);
    this.#usesExplicitKeys = choices.choose(4) === 3;
    this.#step = choices.pick([2, 2, 4, 3]);
  }

  writeFile(root: Extract<YamlTree, { type: "map" }>): string {
    const isBraced = this.choices.choose(8) === 7;
    const margin = !isBraced && this.choices.choose(9) === 8 ? 2 : 0;
    const body = isBraced
      ? `${this.#flow(root, [], 0, true)}\n`
      : `${this.#blockMap(root.entries, [], margin).join("\n").replace(/^\n/, "")}\n`;
    const start = this.choices.pick(["", "", "", "---\n", "#\n"]).replace("#", this.#comment.bind(this, [], "end"));
    const end = this.choices
      .pick(["", "", "", "", "...\n", "#\n", "...\n#\n"])
      .replace("#", this.#comment.bind(this, [], "end"));
    const text = (margin === 0 && this.choices.choose(6) === 5 ? "\uFEFF" : "") + start + body + end;
    const trimmed = this.choices.choose(5) === 4 ? text.replace(/\n$/, "") : text;
    return this.choices.choose(4) === 3 ? trimmed.replaceAll("\n", "\r\n") : trimmed;
  }

  #comment(path: Path, place: FileComment["place"]): string {
    const word = `c${this.comments.size}x`;
    this.comments.set(word, { path, place });
    return `# ${word}`;
  }

  #maybeComment(path: Path, place: FileComment["place"], before = ""): string {
    return this.#commentRate > 0 && this.choices.choose(this.#commentRate) === this.#commentRate - 1
      ? before + this.#comment(path, place)
      : "";
  }

  /** The lines of a mapping; the first one is indented too. */
  #blockMap(entries: readonly (readonly [string, YamlTree])[], path: Path, indent: number): string[] {
    const margin = " ".repeat(indent);
    const lines = entries.flatMap(([key, value]) => {
      const entryPath = [...path, key];
      const above = this.#maybeComment(entryPath, "above", margin);
      const blank = this.choices.choose(9) === 8 ? [""] : [];
      return [...blank, ...(above ? [above] : []), ...this.#blockEntry(key, value, entryPath, indent)];
    });
    const end = indent > 0 ? this.#maybeComment(path, "end", margin) : "";
    return end ? [...lines, end] : lines;
  }

  #blockEntry(key: string, value: YamlTree, path: Path, indent: number): string[] {
    const margin = " ".repeat(indent);
    const keyText = this.#key(key, false);
    if (this.#usesExplicitKeys && this.choices.choose(2) === 1) {
      if (value.type === "nothing" && this.choices.choose(2) === 0) return [`${margin}? ${keyText}`];
      const [first = "", ...others] = this.#blockValue(value, path, indent, true);
      return [`${margin}? ${keyText}`, `${margin}:${first}`, ...others];
    }
    const [first = "", ...others] = this.#blockValue(value, path, indent, false);
    return [`${margin}${keyText}:${first}`, ...others];
  }

  /** What follows the colon, and the lines below. */
  #blockValue(value: YamlTree, path: Path, indent: number, isCompact: boolean): string[] {
    if (value.type === "nothing") {
      const word = this.choices.pick(["", " ~", " null"]);
      return [word + this.#maybeComment(path, "beside", " ")];
    }
    if (value.type === "alias") return [` *${value.anchor}${this.#maybeComment(path, "beside", "  ")}`];
    const anchor = "anchor" in value && value.anchor ? ` &${value.anchor}` : "";
    if (value.type === "map" && value.entries.length > 0 && this.choices.choose(3) < 2) {
      const inner = indent + this.#step;
      if (isCompact && anchor === "" && this.choices.choose(2) === 1) {
        const lines = this.#blockMap(value.entries, path, indent + 2);
        const [first = ""] = lines;
        // A comment or an empty line cannot be in the line of the colon.
        if (/^ +[^#\s]/.test(first)) return [` ${first.slice(indent + 2)}`, ...lines.slice(1)];
        return ["", ...lines];
      }
      return [anchor + this.#maybeComment(path, "beside", " "), ...this.#blockMap(value.entries, path, inner)];
    }
    if (value.type === "list" && value.items.length > 0 && this.choices.choose(2) === 0) {
      const inner = this.choices.pick([indent + this.#step, indent]);
      return [
        this.#maybeComment(path, "beside", " "),
        ...this.#blockList(value.items, path, Math.max(inner, isCompact ? indent + 1 : 0)),
      ];
    }
    if ((value.type === "scalar" || value.type === "members") && typeof value.value === "string") {
      const block = this.#blockText(value.value, path, indent, value.type === "members");
      if (block) return [anchor + block[0], ...block.slice(1)];
    }
    return [` ${this.#flow(value, path, indent)}${this.#maybeComment(path, "beside", "  ")}`];
  }

  /** A literal or folded text; null: another style is chosen. */
  #blockText(text: string, path: Path, indent: number, isMembers: boolean): [string, ...string[]] | null {
    const isMultiline = text.includes("\n");
    const style = isMultiline ? "|" : this.choices.pick(["", "|", ">", ""]);
    if (style === "" || text.trim() === "") return null;
    const margin = " ".repeat(indent + this.#step);
    const chomp = text.endsWith("\n") ? "" : "-";
    const lines = (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
    const withComments =
      isMembers && style === "|"
        ? lines.flatMap((line) => {
            const above = this.#maybeComment(path, "inside");
            return [...(above ? [above] : []), line + this.#maybeComment(path, "inside", " ")];
          })
        : lines;
    const header = ` ${style}${chomp}${this.#maybeComment(path, "beside", " ")}`;
    return [header, ...withComments.map((line) => (line === "" ? "" : margin + line))];
  }

  #blockList(items: readonly YamlTree[], path: Path, indent: number): string[] {
    const margin = " ".repeat(indent);
    return items.flatMap((item, index) => {
      const itemPath = [...path, nameOfItem(item) ?? String(index)];
      const above = this.#maybeComment(itemPath, "above", margin);
      const lines = this.#listItem(item, itemPath, indent);
      return [...(above ? [above] : []), `${margin}-${lines[0]}`, ...lines.slice(1)];
    });
  }

  #listItem(item: YamlTree, path: Path, indent: number): string[] {
    if (item.type === "map" && item.entries.length > 0 && this.choices.choose(3) < 2) {
      const lines = this.#blockMap(item.entries, path, indent + 2);
      const [first = ""] = lines;
      if (/^ +[^#\s]/.test(first) && this.choices.choose(3) < 2)
        return [` ${first.slice(indent + 2)}`, ...lines.slice(1)];
      return [this.#maybeComment(path, "beside", " "), ...lines];
    }
    if (item.type === "list" && item.items.length > 0 && this.choices.choose(3) === 2) {
      const lines = this.#blockList(item.items, path, indent + 2);
      const [first = ""] = lines;
      return /^ +-/.test(first) ? [` ${first.slice(indent + 2)}`, ...lines.slice(1)] : ["", ...lines];
    }
    return [` ${this.#flow(item, path, indent)}${this.#maybeComment(path, "beside", "  ")}`];
  }

  /** A value as it is written in braces, brackets or quotes. */
  #flow(value: YamlTree, path: Path, indent: number, isRoot = false): string {
    if (value.type === "nothing") return this.choices.pick(["~", "null"]);
    if (value.type === "alias") return `*${value.anchor} `;
    const anchor = "anchor" in value && value.anchor ? `&${value.anchor} ` : "";
    if (value.type === "map")
      return (
        anchor +
        this.#collection(
          value.entries,
          { path, indent, isRoot, open: "{", close: "}" },
          ([key, part], partIndent) => this.#flowPair(key, part, [...path, key], partIndent),
          ([key]) => [...path, key],
        )
      );
    if (value.type === "list")
      return this.#collection(
        value.items,
        { path, indent, isRoot, open: "[", close: "]" },
        (item, partIndent, index) =>
          this.#flow(item, [...path, nameOfItem(item) ?? String(index)], partIndent).trimEnd(),
        (item, index) => [...path, nameOfItem(item) ?? String(index)],
      );
    return typeof value.value === "string" ? anchor + this.#quoted(value.value) : anchor + String(value.value);
  }

  #flowPair(key: string, value: YamlTree, path: Path, indent: number): string {
    const keyText = this.#key(key, true);
    if (value.type === "nothing") {
      const form = this.choices.pick(["colon", "bare", "word"]);
      if (form === "bare") return keyText;
      return form === "colon" ? `${`${keyText}: `.trimEnd()} ~` : `${keyText}: null`;
    }
    const sign = this.#usesExplicitKeys && this.choices.choose(3) === 2 ? `? ${keyText} :` : `${keyText}:`;
    return `${sign} ${this.#flow(value, path, indent)}`.trimEnd();
  }

  #collection<T>(
    parts: readonly T[],
    { path, indent, isRoot, open, close }: { path: Path; indent: number; isRoot: boolean; open: string; close: string },
    write: (part: T, indent: number, index: number) => string,
    pathOf: (part: T, index: number) => Path,
  ): string {
    if (parts.length === 0) return this.choices.pick([open + close, `${open} ${close}`]);
    const isMultiline = this.choices.choose(4) === 3 || (isRoot && this.choices.choose(2) === 1);
    const lastComma = this.choices.choose(6) === 5 ? "," : "";
    if (!isMultiline) {
      const space = this.choices.pick([" ", ""]);
      return (
        open + space + parts.map((part, index) => write(part, indent, index)).join(", ") + lastComma + space + close
      );
    }
    const inner = indent + this.#step;
    const margin = " ".repeat(inner);
    const lines = parts.flatMap((part, index) => {
      const above = this.#maybeComment(pathOf(part, index), "above", margin);
      const comma = index < parts.length - 1 ? "," : lastComma;
      const text = margin + write(part, inner, index) + comma;
      return [...(above ? [above] : []), text + this.#maybeComment(pathOf(part, index), "beside", " ")];
    });
    const end = this.#maybeComment(path, "end", margin);
    return [open, ...lines, ...(end ? [end] : []), " ".repeat(isRoot ? 0 : indent + 1) + close].join("\n");
  }

  #key(key: string, inFlow: boolean): string {
    const isPlain = (inFlow ? plainInFlow : plainText).test(`${key}0`) && !reserved.test(key);
    const style = this.choices.pick(["plain", "plain", "double", "single"]);
    if (style === "single") return `'${key.replaceAll("'", "''")}'`;
    return isPlain && style === "plain" ? key : JSON.stringify(key);
  }

  #quoted(text: string): string {
    const isPlain = plainInFlow.test(text) && !reserved.test(text) && !text.includes(" -");
    const style = this.choices.pick(["plain", "double", "plain", "single"]);
    if (isPlain && style === "plain") return text;
    return style === "single" && !text.includes("\n") ? `'${text.replaceAll("'", "''")}'` : JSON.stringify(text);
  }
}

/** What an item of a list is known by: its name, or the names of its ends. */
export function nameOfItem(item: YamlTree): string | null {
  if (item.type === "scalar") return String(item.value);
  if (item.type === "list") return item.items.map((end) => nameOfItem(end) ?? "").join(" ");
  if (item.type !== "map") return null;
  const name = item.entries.find(([key]) => key === "name")?.[1];
  return name?.type === "scalar" ? String(name.value) : null;
}
