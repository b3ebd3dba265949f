import { AppError, toErrorResponse } from "@/lib/server/app-error";
import { localViewer } from "@/lib/server/auth/viewer";
import { saveFlow } from "@/lib/server/flows/commands";
import { getFlow } from "@/lib/server/flows/queries";
import { getRevision, listRevisions } from "@/lib/server/flows/revisions";
import { toRevisionsFetch } from "../serve-revisions";
import { type SaveFault, sleep, type Tab, tabs } from "./browser";
import { listWords } from "./words";

const toJson = (value: unknown, status = 200): Response => new Response(JSON.stringify(value), { status });

const answerRevisions = toRevisionsFetch(
  (flowId, before) => listRevisions(localViewer, flowId, before),
  (flowId, id) => getRevision(localViewer, flowId, id),
);

/** The routes of the API that an editor reads and writes. */
async function answer(url: string, { method, body }: RequestInit): Promise<Response> {
  if (url === "/api/v1/me") return toJson({ user: { id: "local" }, teams: [{ id: "local" }] });
  const [, id = "", rest = ""] = /^\/api\/v1\/flows\/([^/]+)(.*)$/.exec(url) ?? [];
  if (rest === "/publish") return toJson({ mayPublish: true });
  if (method === "PUT") {
    const { revision } = await saveFlow(localViewer, id, JSON.parse(String(body)));
    return toJson({ revision });
  }
  if (rest === "") {
    const { source, layout, revision } = await getFlow(localViewer, id);
    return toJson({ source, layout, revision });
  }
  return answerRevisions(url);
}

async function answerAlways(url: string, init: RequestInit): Promise<Response> {
  try {
    return await answer(url, init);
  } catch (error) {
    if (error instanceof AppError) return toErrorResponse(error);
    return toJson({ error: { code: "internal", message: String(error) } }, 500);
  }
}

const never = (): Promise<never> => new Promise(() => {});

async function fail(): Promise<never> {
  await sleep(3);
  throw new TypeError("network");
}

interface Exchange {
  url: string;
  init: RequestInit;
  fault: SaveFault;
}

/** What the server does with a request, whether or not its page is still there. */
function exchange({ browser, log }: Tab, { url, init, fault }: Exchange): Promise<Response> {
  if (fault.isLost) return never();
  const serve = async (): Promise<Response> => {
    if (fault.storeAfterMs) await sleep(fault.storeAfterMs);
    const response = await answerAlways(url, init);
    if (init.method === "PUT") log(`its save is answered with ${response.status}`);
    return response;
  };
  const served = serve();
  browser.requests.add(served);
  void served.finally(() => browser.requests.delete(served));
  return served;
}

/** `fetch` of the tab whose code is running, with the faults of its network. */
export async function tabFetch(url: string, init: RequestInit = {}): Promise<Response> {
  const tab = tabs.getStore();
  if (!tab) throw new Error(`There is no tab that fetches ${url}.`);
  if (tab.isDead) return never();
  const isSave = init.method === "PUT";
  if (!tab.isOnline || (!isSave && tab.readsFail)) return fail();
  const fault = (isSave && tab.saveFaults.shift()) || {};
  if (isSave) tab.log(`saves up to ${listWords(String(init.body)).at(-1)} ${JSON.stringify(fault)}`);
  const served = exchange(tab, { url, init, fault });
  return new Promise<Response>((resolve, reject) => {
    const end = new AbortController();
    const reset = (): void => {
      end.abort();
      reject(new TypeError("network"));
    };
    tab.events.addEventListener("offline", reset, { signal: end.signal });
    init.signal?.addEventListener("abort", reset, { signal: end.signal });
    if (fault.giveUpAfterMs !== undefined) setTimeout(reset, fault.giveUpAfterMs);
    void served.then(async (response) => {
      if (fault.answerAfterMs) await sleep(fault.answerAfterMs);
      end.abort();
      if (!tab.isDead) resolve(response);
    });
  });
}
