import "server-only";
import { AppError } from "../app-error";
import { requireTeam, type Viewer } from "../auth/viewer";
import { getOwnPort } from "../env";
import { listDeclaredModels } from "../models/model-port";
import { usesEnvironment } from "../team-env";

/** A model server on this machine. */
export interface LocalServer {
  name: string;
  port: number;
  /** For a connection of provider `compatible`. */
  baseUrl: string;
  models: string[];
}

/** Where model servers listen unless they are told otherwise. */
const usualPorts = [
  { port: 11434, name: "Ollama" },
  { port: 1234, name: "LM Studio" },
  { port: 8080, name: "llama.cpp" },
  { port: 8000, name: "vLLM" },
] as const;

/** How servers declare themselves in their lists of models. */
const owners = new Map([
  ["library", "Ollama"],
  ["llamacpp", "llama.cpp"],
  ["vllm", "vLLM"],
  ["sglang", "SGLang"],
  ["organization_owner", "LM Studio"],
]);

const waitMs = 1500;

/** The model servers that answer on 127.0.0.1 at their usual ports. Throws AppError `forbidden` unless the viewer manages its team. */
export async function findLocalServers(viewer: Viewer, signal: AbortSignal): Promise<LocalServer[]> {
  if (!usesEnvironment(requireTeam(viewer, "team:manage")))
    throw new AppError("forbidden", "Servers of this machine are for the first team of this installation alone.");
  const stop = AbortSignal.any([signal, AbortSignal.timeout(waitMs)]);
  const ports = usualPorts.filter(({ port }) => port !== getOwnPort());
  const found = await Promise.all(ports.map(({ port, name }) => findServer(port, name, stop)));
  return found.filter((server) => server !== null);
}

async function findServer(port: number, usualName: string, signal: AbortSignal): Promise<LocalServer | null> {
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const list = await listDeclaredModels("compatible", { baseUrl, reach: "networks" }, signal).catch(() => null);
  if (list?.type !== "listed") return null;
  return { name: owners.get(list.owner ?? "") ?? usualName, port, baseUrl, models: list.models };
}
