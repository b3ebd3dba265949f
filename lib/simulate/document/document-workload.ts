import type * as Y from "yjs";
import type { Random } from "../time/random";
import type { SimulatedProcess } from "../world/simulated-process";
import { Violation, type Workload, type World } from "../world/world";
import { SimulatedEditor } from "./simulated-editor";
import { StoredDocument } from "./stored-document";

/** Up to five people edit one flow through several servers; programs save it meanwhile. */
export class DocumentWorkload implements Workload {
  readonly services = {};
  readonly settleMs = 10_000;
  readonly durationMs: number;
  readonly #editors: SimulatedEditor[] = [];
  readonly #stored: StoredDocument;
  /** Characters that programs wrote by requests that were acknowledged. */
  readonly #savedByRequests = new Set<string>();
  #requests = 0;
  #isSettling = false;

  constructor(
    private readonly world: World,
    private readonly random: Random,
    private readonly flowId: string,
  ) {
    this.durationMs = random.between(1_500, 5_000);
    this.#stored = new StoredDocument(world.store.database.connection, flowId);
  }

  start(): void {
    const { world, random, flowId } = this;
    const count = 2 + random.index(4);
    for (let number = 1; number <= count; number++) {
      const editor = new SimulatedEditor(world, { name: `e${number}`, flowId, alphabet: 0xe000 + number * 0x400 });
      this.#editors.push(editor);
      this.#later(random.between(0, 1_000), () => editor.connect());
      this.#typeOnAndOff(editor);
      this.#repeat(random.between(1_000, 5_000), () => editor.save());
      if (random.chance(0.3)) this.#repeat(random.between(2_000, 8_000), () => editor.cut());
      if (number > 2 && random.chance(0.2)) this.#later(random.between(2_000, 12_000), () => editor.leave());
    }
    if (random.chance(0.3)) this.#repeat(random.between(1_000, 5_000), () => this.#saveByRequest());
  }

  #later(delayMs: number, act: () => void): void {
    this.world.timeline.schedule(delayMs, null, () => {
      if (!this.#isSettling) act();
    });
  }

  #repeat(everyMs: number, act: () => void): void {
    this.#later(everyMs * this.random.between(0.5, 1.5), () => {
      act();
      this.#repeat(everyMs, act);
    });
  }

  /** Bursts of up to 36 characters a second, and pauses. */
  #typeOnAndOff(editor: SimulatedEditor): void {
    const { random } = this;
    const [paceMs, burst] = [random.pick([28, 60, 200]) ?? 60, 3 + random.index(25)];
    for (let letter = 0; letter < burst; letter++)
      this.#later(letter * paceMs * random.between(0.5, 1.5), () => editor.type());
    this.#later(burst * paceMs + random.between(100, 4_000), () => this.#typeOnAndOff(editor));
  }

  /** A program reads the flow and saves it with one more character. */
  #saveByRequest(): void {
    const process = this.random.pick(this.world.livingProcesses);
    const head = this.#stored.readHead();
    if (!process || !head) return;
    const letter = String.fromCharCode(0xe000 + this.#requests++);
    const source = head.source.replace("<", `<${letter}`);
    this.world.timeline.schedule(1, process, () => {
      process.program
        ?.saveFlow(this.flowId, source, head.id)
        .then(() => this.#savedByRequests.add(letter))
        .catch(() => undefined);
    });
  }

  /** Everyone stops typing; a reader joins at each server, to see what it shows. */
  settle(): void {
    this.#isSettling = true;
    for (const editor of this.#editors) editor.connect();
  }

  onSettled(process: SimulatedProcess): void {
    const reader = new SimulatedEditor(this.world, { name: `r${process.name}`, flowId: this.flowId, alphabet: 0 });
    this.#editors.push(reader);
    reader.connect(process);
  }

  check(): void {
    this.#stored.follow();
  }

  checkEnd(): void {
    const present = this.#editors.filter(({ hasLeft }) => !hasLeft);
    const absent = present.find(({ isJoined }) => !isJoined);
    if (absent) throw new Violation(`${absent.name} is not connected although all is quiet`);
    const stored = this.#stored.follow();
    for (const editor of present) this.#assertSame(editor, stored);
    this.#assertLetters(stored.getText("source").toString());
    const head = this.#stored.readHead();
    if (head?.source !== stored.getText("source").toString())
      throw new Violation("the head revision is not what everyone sees");
  }

  #assertSame(editor: SimulatedEditor, stored: Y.Doc): void {
    const [own, all] = [editor.text, stored.getText("source").toString()];
    if (own !== all)
      throw new Violation(
        `${editor.name} at ${editor.process?.name} sees another document than is stored: ${describe(own, all)}`,
      );
    if (editor.doc.store.pendingStructs) throw new Violation(`${editor.name} waits for changes that never come`);
  }

  #assertLetters(text: string): void {
    const counts = new Map<string, number>();
    for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    const expect = (letter: string, reason: string): void => {
      const count = counts.get(letter) ?? 0;
      if (count !== 1)
        throw new Violation(`the character ${letter.charCodeAt(0).toString(16)} ${reason} is there ${count} times`);
    };
    for (const editor of this.#editors)
      for (const letter of editor.hasLeft ? editor.saved : editor.typed) expect(letter, `of ${editor.name}`);
    for (const letter of this.#savedByRequests) expect(letter, "of a request that was acknowledged");
  }
}

/** The characters that only one of two texts has. */
function describe(own: string, all: string): string {
  const list = (from: string, other: string): string =>
    [...new Set(from)]
      .filter((letter) => !other.includes(letter))
      .map((letter) => letter.charCodeAt(0).toString(16))
      .join(" ");
  return `${own.length} and ${all.length} characters; only here: ${list(own, all) || "none"}; only there: ${list(all, own) || "none"}`;
}
