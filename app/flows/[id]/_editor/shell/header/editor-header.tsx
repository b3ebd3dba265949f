import {
  CalendarClock,
  ChevronDown,
  CircleAlert,
  CircleQuestionMark,
  FileInput,
  FileOutput,
  History,
  Inbox,
  Keyboard,
  ListChecks,
  type LucideIcon,
  MessageSquare,
  PanelRight,
  Pencil,
  Rocket,
  Search,
  Settings,
  Share2,
  TriangleAlert,
  Users,
} from "lucide-react";

import dynamic from "next/dynamic";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { Button } from "@/app/_ui/controls/button";
import { Menu } from "@/app/_ui/controls/menu";
import type { MenuItem } from "@/app/_ui/controls/menu-list";
import { afterPaint } from "@/app/_ui/loading/after-paint";
import { loadPart } from "@/app/_ui/loading/load-part";
import { Logo } from "@/app/_ui/shell/logo";
import { ThemeToggle } from "@/app/_ui/theme/theme-toggle";
import { formatCount } from "@/lib/core/flow/format-count";
import { CommandButton } from "../../commands/command-button";
import { getCommand, isEnabled } from "../../commands/registry";
import { openProblems } from "../../panels/problems/open-problems";
import { summarizeProblems } from "../../panels/problems/summarize-problems";
import type { Session } from "../../state/session";
import { useEditorState, useLive, useOpenComments, useSession, useView } from "../../state/session-context";
import { FlowName, flowNameId } from "./flow-name";
import { SaveStatus } from "./save-status";

const PeopleRow = dynamic(() => loadPart(() => import("../../panels/together/people-row")), { ssr: false });
const PublishButton = dynamic(
  () => afterPaint().then(() => loadPart(() => import("../../panels/publish/publish-button"))),
  { ssr: false, loading: () => <HeaderButton id="publish" icon={Rocket} /> },
);

export function EditorHeader() {
  const session = useSession();
  const mayShare = isEnabled(getCommand("share"), session);
  const hasPeers = useLive(({ peers }) => peers.length > 0);
  const isInspectorOpen = useView((view) => view.inspectorOpen);
  return (
    <header className="flex h-11 shrink-0 items-center gap-2 border-line border-b bg-surface px-2 md:px-3">
      <a href="#flow-canvas" className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-surface focus:p-2">
        Skip to the canvas
      </a>
      <Link href="/" aria-label="Swarmloom" className="grid size-7 shrink-0 place-items-center rounded-md">
        <Logo />
      </Link>
      <Link
        href="/"
        className="rounded-md px-1.5 py-1 text-text-muted transition-colors hover:bg-surface-hover hover:text-text max-md:sr-only"
      >
        Flows
      </Link>
      <span aria-hidden className="-mx-1 text-text-faint max-md:hidden">
        /
      </span>
      <div className="flex min-w-0 items-center">
        <FlowName />
        <FlowMenu />
      </div>
      <SaveStatus />
      <div className="ml-auto flex shrink-0 items-center gap-1">
        {hasPeers && <PeopleRow />}
        <ProblemCount />
        {/* The panes on the left have theirs in the rail. */}
        <CommandButton id="inspector-pane" icon={PanelRight} isPressed={isInspectorOpen} className="max-md:hidden" />
        <CommentsButton />
        <HeaderButton id="versions" icon={History} />
        {mayShare ? <HeaderButton id="share" icon={Share2} /> : <HeaderButton id="export" icon={FileOutput} />}
        <PublishButton />
        <span aria-hidden className="mx-1 h-4 w-px bg-line max-lg:hidden" />
        <ThemeToggle />
        <AppMenu />
      </div>
    </header>
  );
}

function CommentsButton() {
  const open = useOpenComments(({ count }) => count);
  return <HeaderButton id="comments" icon={MessageSquare} count={open} />;
}

/** `count`: of what is behind it. */
function HeaderButton({ id, icon: Icon, count = 0 }: { id: string; icon: LucideIcon; count?: number }) {
  const session = useSession();
  const command = getCommand(id);
  return (
    <Button
      variant="ghost"
      size="small"
      className="text-text-muted hover:text-text max-lg:hidden"
      onClick={() => command.run(session)}
    >
      <Icon size={14} aria-hidden /> {command.title}
      {count > 0 && <span className="tabular-nums">{formatCount(count)}</span>}
    </Button>
  );
}

const menuIcon = { size: 14, "aria-hidden": true };

const toMenuItem = (session: Session, id: string, Icon: LucideIcon): MenuItem => ({
  label: getCommand(id).title,
  icon: <Icon {...menuIcon} />,
  onSelect: () => getCommand(id).run(session),
});

function FlowMenu() {
  const session = useSession();
  const rename = (): void => {
    const input = document.getElementById(flowNameId);
    if (input instanceof HTMLInputElement) input.select();
  };
  return (
    <Menu
      label="More for this flow"
      trigger={<ChevronDown size={14} aria-hidden />}
      items={[
        toMenuItem(session, "comments", MessageSquare),
        toMenuItem(session, "versions", History),
        toMenuItem(session, "publish", Rocket),
        toMenuItem(session, "export", FileOutput),
        ...(isEnabled(getCommand("share"), session) ? [toMenuItem(session, "share", Share2)] : []),
        ...(isEnabled(getCommand("members"), session) ? [toMenuItem(session, "members", Users)] : []),
        ...(session.access.mayEdit
          ? [
              toMenuItem(session, "import", FileInput),
              // The closing menu moves the focus back first.
              { label: "Rename", icon: <Pencil {...menuIcon} />, onSelect: () => setTimeout(rename, 50) },
            ]
          : []),
      ]}
    />
  );
}

function AppMenu() {
  const session = useSession();
  const router = useRouter();
  return (
    <Menu
      label="More"
      items={[
        toMenuItem(session, "palette", Search),
        toMenuItem(session, "keys", Keyboard),
        { label: "Inbox", icon: <Inbox {...menuIcon} />, onSelect: () => router.push("/inbox") },
        { label: "Runs", icon: <ListChecks {...menuIcon} />, onSelect: () => router.push("/runs") },
        {
          label: "Schedules and webhooks",
          icon: <CalendarClock {...menuIcon} />,
          onSelect: () => router.push(`/triggers?flow=${session.seed.id}`),
        },
        { label: "Help", icon: <CircleQuestionMark {...menuIcon} />, onSelect: () => router.push("/docs/editor") },
        { label: "Settings", icon: <Settings {...menuIcon} />, onSelect: () => router.push("/settings") },
      ]}
    />
  );
}

/** On a phone, where the flow bar has no room for it. */
function ProblemCount() {
  const session = useSession();
  const problems = useEditorState((state) => state.problems);
  const { text, tone, gravest } = summarizeProblems(problems);
  if (tone === "success") return null;
  const Icon = tone === "danger" ? CircleAlert : TriangleAlert;
  return (
    <button
      type="button"
      aria-label={text}
      onClick={() => openProblems(session)}
      className={`flex h-7 items-center gap-1.5 rounded-md px-1 font-medium text-xs hover:bg-surface-hover md:hidden ${tone === "danger" ? "text-danger" : "text-warning"}`}
    >
      <Icon size={14} aria-hidden />
      {gravest}
    </button>
  );
}
