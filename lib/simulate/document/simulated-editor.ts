import * as Y from "yjs";
import { parseJsonAs } from "@/lib/core/flow/parse-json";
import { readText, writeText } from "@/lib/core/live/live-document";
import { type ClientMessage, type ServerMessage, serverMessageSchema } from "@/lib/core/live/messages";
import type { SimulatedProcess } from "../world/simulated-process";
import type { World } from "../world/world";
import { SimulatedSocket } from "./simulated-socket";

export interface EditorOptions {
  name: string;
  flowId: string;
  /** Characters that no other editor types. */
  alphabet: number;
}

const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

/** A person with a page open: connects to some server, types, saves, and connects again when the connection is lost. */
export class SimulatedEditor {
  readonly doc = new Y.Doc();
  /** Every character that it typed, once. */
  readonly typed = new Set<string>();
  /** Of these those that a server has acknowledged as saved. */
  readonly saved = new Set<string>();
  hasLeft = false;
  isJoined = false;
  #socket: SimulatedSocket | null = null;
  #process: SimulatedProcess | null = null;
  #lineage: string | null = null;
  #joining: (ServerMessage & { type: "joined" }) | null = null;
  #saveNumber = 0;
  /** What was typed when a save was asked for, by its number. */
  readonly #asked = new Map<number, string[]>();

  constructor(
    private readonly world: World,
    private readonly options: EditorOptions,
  ) {
    this.doc.on("update", (update: Uint8Array, origin: unknown) => {
      if (origin !== "server" && this.isJoined) this.#socket?.sendToServer(update);
    });
  }

  get name(): string {
    return this.options.name;
  }

  get text(): string {
    return readText(this.doc);
  }

  /** The server that it is connected to. */
  get process(): SimulatedProcess | null {
    return this.#process;
  }

  connect(wanted?: SimulatedProcess): void {
    const { timeline, random, livingProcesses } = this.world;
    if (this.hasLeft || this.#socket) return;
    const process = wanted ?? random.pick(livingProcesses);
    if (!process?.isAlive) {
      this.#connectLater();
      return;
    }
    const client = {
      onMessage: (data: string | Uint8Array) => this.#receive(socket, data),
      onClosed: () => this.#lose(socket),
    };
    const socket: SimulatedSocket = new SimulatedSocket(process, client, { timeline, random });
    this.#socket = socket;
    this.#process = process;
    const { flowId, name } = this.options;
    timeline.schedule(random.between(0.5, 10), process, () =>
      process.program?.connect(socket, { flowId, person: name }),
    );
  }

  #connectLater(): void {
    this.world.timeline.schedule(this.world.random.between(20, 1_000), null, () => this.connect());
  }

  #lose(socket: SimulatedSocket): void {
    if (this.#socket !== socket) return;
    this.#socket = null;
    this.#process = null;
    this.isJoined = false;
    this.#joining = null;
    this.#asked.clear();
    this.#connectLater();
  }

  /** Its network is gone for a moment. */
  cut(): void {
    const socket = this.#socket;
    if (!socket) return;
    this.world.trace(this.name, () => "loses its connection");
    socket.cut();
    this.#lose(socket);
  }

  /** Closes the page: what no server has acknowledged may be lost. */
  leave(): void {
    this.world.trace(this.name, () => "leaves");
    this.hasLeft = true;
    this.#socket?.cut();
    this.#socket = null;
    this.isJoined = false;
  }

  #send(message: ClientMessage): void {
    this.#socket?.sendToServer(JSON.stringify(message));
  }

  #receive(socket: SimulatedSocket, data: string | Uint8Array): void {
    if (this.#socket !== socket) return;
    if (typeof data === "string") this.#receiveMessage(data);
    else this.#receiveUpdate(data);
  }

  #receiveMessage(data: string): void {
    const message = parseJsonAs(data, serverMessageSchema);
    if (message.type === "welcome") {
      const vector = toBase64(this.#lineage === null ? new Uint8Array([0]) : Y.encodeStateVector(this.doc));
      this.#send({ type: "join", lineage: this.#lineage, vector });
    } else if (message.type === "joined") this.#joining = message;
    else if (message.type === "saved") this.#noteSaved(message.number);
    else if (message.type === "refused") this.#asked.delete(message.number);
  }

  #receiveUpdate(update: Uint8Array): void {
    const joining = this.#joining;
    this.#joining = null;
    if (joining) this.#lineage = joining.lineage;
    else if (!this.isJoined) return;
    Y.applyUpdate(this.doc, update, "server");
    if (!joining) return;
    this.isJoined = true;
    this.#socket?.sendToServer(Y.encodeStateAsUpdate(this.doc, Buffer.from(joining.vector, "base64")));
  }

  #noteSaved(number: number): void {
    for (const letter of this.#asked.get(number) ?? []) this.saved.add(letter);
    this.#asked.delete(number);
  }

  /** Types one character at a random place of the instructions, or removes one that the flow began with. */
  type(): void {
    const { text } = this;
    const [start, end] = [text.indexOf("<") + 1, text.indexOf(">")];
    if (this.hasLeft || start === 0 || end < start) return;
    const { random } = this.world;
    const offset = start + random.index(end - start + 1);
    if (random.chance(0.2) && text[offset] === "o") {
      this.doc.transact(() => writeText(this.doc, text, [{ from: offset, to: offset + 1, insert: "" }]));
      return;
    }
    const letter = String.fromCharCode(this.options.alphabet + this.typed.size);
    this.typed.add(letter);
    this.world.trace(this.name, () => `types ${letter.charCodeAt(0).toString(16)}`);
    this.doc.transact(() => writeText(this.doc, text, [{ from: offset, to: offset, insert: letter }]));
  }

  save(): void {
    if (!this.isJoined) return;
    const number = ++this.#saveNumber;
    this.#asked.set(number, [...this.typed]);
    this.#send({ type: "save", number, summary: "", allowEmpty: false });
  }
}
