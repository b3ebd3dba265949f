import dynamic from "next/dynamic";
import { loadPart } from "@/app/_ui/loading/load-part";
import { useView } from "../../state/session-context";

const SearchPanel = dynamic(() => loadPart(() => import("./search-panel")), { ssr: false });

export function SearchSlot() {
  const open = useView((view) => view.surface?.type === "search");
  return open ? <SearchPanel /> : null;
}
