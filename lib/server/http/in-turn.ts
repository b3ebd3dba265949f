import "server-only";
import type { RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Requests that a connection may send before it has the answers to those before them. Browsers send none. */
const maxWaiting = 20;

interface Connection {
  last: ServerResponse | null;
  waiting: number;
}

/**
 * Hands the requests of a connection on one after another: an answer that waits behind another one does not end with the
 * connection, and what works for it would go on. A connection with more than `maxWaiting` requests is ended.
 */
export function inTurn(listener: RequestListener): RequestListener {
  const connections = new WeakMap<Socket, Connection>();
  return (request, response) => {
    const { socket } = request;
    const connection = connections.get(socket) ?? { last: null, waiting: 0 };
    connections.set(socket, connection);
    const { last } = connection;
    connection.last = response;
    if (!last || last.writableFinished) return listener(request, response);
    connection.waiting++;
    if (connection.waiting > maxWaiting) return void socket.destroy();
    last.once("finish", () => {
      connection.waiting--;
      listener(request, response);
    });
  };
}
