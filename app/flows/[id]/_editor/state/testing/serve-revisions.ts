interface RevisionPage {
  revisions: readonly { id: string }[];
  next: string | null;
}

/** The requests for the versions of a flow, newest first, by page; and for one of them. Everything else is not found. */
export const toRevisionsFetch =
  (list: (flowId: string, before?: string) => Promise<RevisionPage>, get: (flowId: string, id: string) => unknown) =>
  async (url: string): Promise<Response> => {
    const { pathname, searchParams } = new URL(url, "http://localhost");
    const [, flowId, id] = /^\/api\/v1\/flows\/([^/]+)\/revisions(?:\/([^/]+))?$/.exec(pathname) ?? [];
    if (flowId === undefined) return new Response("{}", { status: 404 });
    const answer = id === undefined ? list(flowId, searchParams.get("before") ?? undefined) : get(flowId, id);
    const body = await answer;
    return new Response(JSON.stringify(body ?? {}), { status: body ? 200 : 404 });
  };

const pageSize = 100;

/** A server whose flows have these revisions after `r1`: `r2` and so on, oldest first. */
export function toRevisionServer(later: readonly unknown[]): (url: string) => Promise<Response> {
  const ids = later.map((_, index) => `r${index + 2}`);
  const newestFirst = [...ids].reverse().concat("r1");
  return toRevisionsFetch(
    async (_, before) => {
      const start = before === undefined ? 0 : newestFirst.indexOf(before) + 1;
      const page = newestFirst.slice(start, start + pageSize);
      const hasMore = start + pageSize < newestFirst.length;
      return { revisions: page.map((id) => ({ id })), next: hasMore ? (page.at(-1) ?? null) : null };
    },
    (_, id) => later[ids.indexOf(id)],
  );
}
