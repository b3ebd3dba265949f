import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { Menu } from "../../_ui/controls/menu";
import { type Tab, Tabs } from "../../_ui/controls/tabs";
import { type StepTabsContext, toStepTabs } from "./node-tabs";

/** In a narrow panel there is room for so many letters. */
const maxLetters = 36;

/** Four tabs, or three with long names: the open one is always among them, and takes the last place where it would not be. */
function chooseShown(tabs: readonly Tab[], open: Tab | undefined): Tab[] {
  const choose = (count: number): Tab[] => {
    const first = tabs.slice(0, count);
    return open && !first.includes(open) ? [...first.slice(0, -1), open] : first;
  };
  const shown = choose(4);
  return shown.reduce((letters, { label }) => letters + label.length, 0) > maxLetters ? choose(3) : shown;
}

/** Some tabs, and the others in a menu. */
export function StepTabs({ of: context, isRoot }: { of: StepTabsContext; isRoot: boolean }) {
  const tabs = toStepTabs(context);
  const [chosen, choose] = useState<string | null>(null);
  const isForComments = location.hash === "#comments" && tabs.some(({ id }) => id === "comments");
  const initialTab = isForComments ? "comments" : context.node.error && !isRoot ? "error" : "answer";
  const value = tabs.some(({ id }) => id === chosen) && chosen !== null ? chosen : initialTab;
  const open = tabs.find(({ id }) => id === value);
  const shown = chooseShown(tabs, open);
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
