import "server-only";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import { limits } from "@/lib/core/flow/flow";
import { requireViewer } from "../accounts/read-viewer";
import { AppError, toErrorResponse } from "../app-error";
import { readKeySecret } from "../auth/api-keys";
import { answerAtGate } from "../auth/gate";
import type { Viewer } from "../auth/viewer";
import { getDb } from "../db";
import { getLiveFlow } from "../flows/queries";
import { takeOfAddress, takeOfViewer } from "../http/rate-limit";
import { toHeaders } from "../http/request-headers";
import { logger } from "../log/logger";
import { addressHeader, toClientAddress } from "../net/client-address";
import type { ConnectionOptions } from "./connection";
import type { Rooms } from "./rooms";

/** An update inserts at most a whole text, each unit of which takes up to three bytes. */
const longestMessage = 3 * limits.sourceLength + 100_000;

const livePath = /^\/api\/v1\/flows\/([^/]+)\/live$/;

/**
 * Answers requests to upgrade a connection: `/api/v1/flows/:id/live` connects an editor to the others that have the flow
 * open. Everything else is refused, with the checks of every other request first.
 */
export class LiveUpgrades {
  readonly #server = new WebSocketServer({ noServer: true, maxPayload: longestMessage, perMessageDeflate: false });
  #rooms: Promise<Rooms> | null = null;
  #isClosed = false;

  constructor(private readonly options: Pick<ConnectionOptions, "checkAccessMs"> = {}) {}

  /** Never rejects. */
  async answer(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    // A client that is gone must not end the process, and nothing else listens yet.
    const ignore = (): void => undefined;
    socket.on("error", ignore);
    try {
      const [pathname = ""] = (request.url ?? "").split("?");
      const refusal = answerAtGate({ method: "GET", url: `http://127.0.0.1${pathname}`, headers: toHeaders(request) });
      if (refusal) return await sendRefusal(socket, refusal);
      const access = await authorize(request, pathname);
      const rooms = await this.openRooms();
      // A connection that was accepted before the server began to stop may ask only now, and nothing would close it.
      if (this.#isClosed) throw new AppError("unavailable", "The server is stopping. Try again in a moment.");
      if (socket.destroyed) return;
      rooms.assertPlace(access);
      this.#server.handleUpgrade(request, socket, head, (webSocket) => {
        socket.off("error", ignore);
        rooms.connect(webSocket, { ...access, ...this.options });
      });
    } catch (error) {
      await refuse(socket, error);
    }
  }

  /** Refuses every further connection, and closes those that there are once their flows are saved. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const rooms = await this.#rooms?.catch(() => null);
    await rooms?.close();
  }

  /** Saves what was edited together in a process that was killed. Opens nothing where there is nothing. Never rejects. */
  async saveUnsaved(): Promise<void> {
    const db = await getDb().catch(() => null);
    const hasDocuments = await db?.flowDocument.findFirst({ select: { flowId: true } }).catch(() => null);
    if (hasDocuments) await (await this.openRooms()).saveUnsaved();
  }

  /** The open flows of this process. Rejects before the services have started. */
  openRooms(): Promise<Rooms> {
    this.#rooms ??= this.#createRooms();
    this.#rooms.catch(() => {
      this.#rooms = null;
    });
    return this.#rooms;
  }

  async #createRooms(): Promise<Rooms> {
    const [db, { Rooms }] = await Promise.all([getDb(), import("./rooms")]);
    const rooms = new Rooms(db);
    globalThis.swarmloomRooms = rooms;
    return rooms;
  }
}

/** The flow that a request names, for a person who may read it. Throws AppError. */
async function authorize(request: IncomingMessage, pathname: string) {
  const flowId = livePath.exec(pathname)?.[1];
  if (flowId === undefined || request.method !== "GET")
    throw new AppError("not_found", "Nothing is here to connect to.");
  if (globalThis.swarmloomServices === undefined)
    throw new AppError("unavailable", "The server is starting. Try again in a moment.");
  const headers = toHeaders(request);
  headers.set(
    addressHeader,
    toClientAddress(request.socket.remoteAddress, headers.get("x-forwarded-for") ?? undefined),
  );
  if (readKeySecret(headers) !== null)
    throw new AppError("forbidden", "People edit together here. Programs save with PUT, and open editors follow.");
  const findFlow = (viewer: Viewer) => getLiveFlow(viewer, "flows:read", decodeURIComponent(flowId));
  const viewer = await requireCountedViewer(headers);
  const flow = await findFlow(viewer);
  const findViewer = async (): Promise<Viewer> => {
    const current = await requireViewer(headers);
    await findFlow(current);
    return current;
  };
  return { flow, viewer, findViewer };
}

/** Connections count as requests do: people who are not signed in by their address. */
async function requireCountedViewer(headers: Headers): Promise<Viewer> {
  const viewer = await requireViewer(headers).catch((error: unknown) => {
    takeOfAddress(headers);
    throw error;
  });
  takeOfViewer(viewer, { method: "GET", url: "http://127.0.0.1/" });
  return viewer;
}

function refuse(socket: Duplex, error: unknown): Promise<void> {
  if (!(error instanceof AppError)) logger.error({ err: error }, "an editor could not be connected");
  const reason = error instanceof AppError ? error : new AppError("unavailable", "The editor could not be connected.");
  return sendRefusal(socket, toErrorResponse(reason));
}

async function sendRefusal(socket: Duplex, response: Response): Promise<void> {
  const body = await response.text();
  const lines = [
    `HTTP/1.1 ${response.status} Refused`,
    "Connection: close",
    `Content-Type: ${response.headers.get("content-type") ?? "text/plain"}`,
    "X-Content-Type-Options: nosniff",
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.end([...lines, "", body].join("\r\n"), () => socket.destroy());
}
