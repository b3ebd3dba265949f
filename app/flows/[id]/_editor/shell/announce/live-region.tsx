import { useStore } from "zustand";
import { useSession } from "../../state/session-context";

export function LiveRegion() {
  const { announcer } = useSession();
  const { text, count } = useStore(announcer.store);
  return (
    <div role="status" aria-label="Announcements" className="sr-only">
      <p key={count}>{text}</p>
    </div>
  );
}
