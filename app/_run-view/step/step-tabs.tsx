import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { Menu } from "../../_ui/controls/menu";
import { Tabs } from "../../_ui/controls/tabs";
import { type StepTabsContext, toStepTabs } from "./node-tabs";

const mostTabs = 4;

/** Four tabs, and the others in a menu: what is chosen there takes the last place, so that the open one is always visible. */
export function StepTabs({ of: context, isRoot }: { of: StepTabsContext; isRoot: boolean }) {
  const tabs = toStepTabs(context);
  const [chosen, choose] = useState<string | null>(null);
  const isForComments = location.hash === "#comments" && tabs.some(({ id }) => id === "comments");
  const initialTab = isForComments ? "comments" : context.node.error && !isRoot ? "error" : "answer";
  const value = tabs.some(({ id }) => id === chosen) && chosen !== null ? chosen : initialTab;
  const first = tabs.slice(0, mostTabs);
  const open = tabs.find(({ id }) => id === value);
  const shown = open && !first.includes(open) ? [...first.slice(0, -1), open] : first;
  const others = tabs.filter((tab) => !shown.includes(tab));
  return (
    <Tabs
      label="About the step"
      tabs={shown}
      value={value}
      onChange={choose}
      after={
        others.length > 0 && (
          <Menu
            label="More about the step"
            items={others.map(({ id, label }) => ({ label, onSelect: () => choose(id) }))}
            trigger={
              <span className="inline-flex items-center gap-1 px-1 font-medium text-[13px]">
                More <ChevronDown size={13} aria-hidden />
              </span>
            }
          />
        )
      }
    />
  );
}
