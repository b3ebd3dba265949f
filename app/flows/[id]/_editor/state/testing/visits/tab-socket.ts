import { WebSocket } from "ws";
import { sleep, tabs } from "./browser";

/** Nothing listens there. */
const noServer = "ws://127.0.0.1:1";

/** Messages of one direction: each takes some time, and none overtakes another one. */
class Line {
  #waiting = 0;
  #previous: Promise<unknown> = Promise.resolve();

  pass(ms: number, deliver: () => void): void {
    if (ms === 0 && this.#waiting === 0) {
      deliver();
      return;
    }
    this.#waiting++;
    this.#previous = Promise.all([this.#previous, sleep(ms)])
      .then(() => {
        this.#waiting--;
        deliver();
      })
      .catch(reportError);
  }
}

/** The WebSocket of a tab, with the faults of its network. */
export class TabSocket extends WebSocket {
  readonly #tab = tabs.getStore();
  readonly #incoming = new Line();
  readonly #outgoing = new Line();
  #isCut = false;

  constructor(url: string) {
    const tab = tabs.getStore();
    const isReachable = tab?.isOnline && tab.reachesLive && !tab.isDead;
    super(isReachable ? url : noServer);
    // Browsers ignore it; the connection is closed.
    this.on("error", () => undefined);
    tab?.sockets.add(this);
  }

  /** Returns whether the connection dies with this message. */
  #diesNow(): boolean {
    const tab = this.#tab;
    if (!tab || tab.dieAfter === null) return false;
    if (tab.dieAfter-- > 0) return false;
    tab.dieAfter = null;
    tab.log("its connection dies");
    // What was under way does not arrive any more, although `ws` has received it.
    this.#isCut = true;
    this.terminate();
    return true;
  }

  override emit(event: string | symbol, ...args: unknown[]): boolean {
    const tab = this.#tab;
    if (!tab) return super.emit(event, ...args);
    const isMessage = event === "message";
    if (tab.isDead || (isMessage && (this.#isCut || this.#diesNow()))) return false;
    const deliver = (): boolean => !tab.isDead && tabs.run(tab, () => super.emit(event, ...args));
    if (!isMessage && event !== "close") return deliver();
    this.#incoming.pass(tab.latencyMs, deliver);
    return true;
  }

  override send(data: string | Uint8Array): void {
    const tab = this.#tab;
    if (tab?.isDead || tab?.losesSent || this.#isCut || this.#diesNow()) return;
    this.#outgoing.pass(tab?.latencyMs ?? 0, () => {
      if (this.readyState === WebSocket.OPEN) super.send(data);
    });
  }
}
