import { ArrowRightLeft, Bot, CircleHelp, ClipboardList, MessageSquarePlus, Reply, Undo2, Wrench } from "lucide-react";
import type { ConversationEntry, ConversationEntryType } from "@/lib/core/trace/conversation/conversation-entries";

export const turnStyles: Record<ConversationEntryType, { icon: typeof Bot; title(turn: ConversationEntry): string }> = {
  given: { icon: ClipboardList, title: () => "Task" },
  message: { icon: MessageSquarePlus, title: ({ about }) => (about === "" ? "Message" : `Message from ${about}`) },
  answer: {
    icon: Bot,
    title: ({ isError, reasoning }) => (isError ? "No answer" : reasoning ? "Thought and answered" : "Answer"),
  },
  call: { icon: Wrench, title: ({ about }) => `Calls ${about}` },
  result: { icon: Undo2, title: ({ about, isError }) => `${isError ? "Error" : "Result"} of ${about}` },
  handoff: { icon: ArrowRightLeft, title: ({ about }) => `Hands over to ${about}` },
  question: { icon: CircleHelp, title: () => "Human input" },
  reply: { icon: Reply, title: ({ about, isError }) => `${about} ${isError ? "declined" : "replied"}` },
};
