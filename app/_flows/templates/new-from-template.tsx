import TemplateDialog from "../template-dialog";
import { useTemplates } from "./use-templates";

interface NewFromTemplateProps {
  pending: boolean;
  onClose(): void;
  onChoose(source: string): void;
}

export default function NewFromTemplate({ pending, onClose, onChoose }: NewFromTemplateProps) {
  const templates = useTemplates(onClose);
  return <TemplateDialog templates={templates} pending={pending} onClose={onClose} onChoose={onChoose} />;
}
