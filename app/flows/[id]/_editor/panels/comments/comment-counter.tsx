import { requestThreads } from "@/app/_comments/requests";
import { useLoaded } from "@/app/_ui/loading/use-loaded";
import { useSession } from "../../state/session-context";

/** In milliseconds. An open list of comments is refreshed more often. */
const refreshMs = 60_000;

/** Keeps the numbers of open comments current, with one request for the whole flow. */
export default function CommentCounter() {
  const { seed, comments } = useSession();
  useLoaded({ key: seed.id, refreshMs }, async (signal) => {
    comments.set(await requestThreads({ flowId: seed.id, state: "open" }, signal));
  });
  return null;
}
