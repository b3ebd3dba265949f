import { ImageResponse } from "next/og";
import { readGalleryFlow } from "@/app/_share/read-shared";
import { countNouns } from "@/lib/core/flow/format-count";

export const size = { width: 1200, height: 630 };
export const contentType = "image/png";
export const alt = "The name of the flow, its team and its agents";

const mostShown = 8;

/** The picture that other sites show beside a link to a flow of the gallery. */
export default async function SocialImage({ params }: { params: Promise<{ id: string }> }) {
  const { name, team, agents, agentNames } = await readGalleryFlow((await params).id);
  const shown = agentNames.slice(0, mostShown);
  return new ImageResponse(
    <div style={page}>
      <div style={{ display: "flex", fontSize: 30, color: "#5b6472" }}>Swarmloom</div>
      <div style={{ display: "flex", flexDirection: "column", gap: 20 }}>
        <div style={{ display: "flex", fontSize: 76, fontWeight: 700, lineHeight: 1.1 }}>{name.slice(0, 80)}</div>
        <div style={{ display: "flex", fontSize: 32, color: "#5b6472" }}>
          {`${countNouns(agents, "agent")}, by ${team.slice(0, 60)}`}
        </div>
      </div>
      <div style={{ display: "flex", flexWrap: "wrap", gap: 16 }}>
        {shown.map((agent) => (
          <div key={agent} style={chip}>
            {agent.slice(0, 24)}
          </div>
        ))}
      </div>
    </div>,
    size,
  );
}

const page = {
  display: "flex",
  flexDirection: "column",
  justifyContent: "space-between",
  width: "100%",
  height: "100%",
  padding: 72,
  color: "#14171f",
  background: "#f5f7fa",
} as const;

const chip = {
  display: "flex",
  padding: "12px 24px",
  fontSize: 28,
  borderRadius: 12,
  border: "2px solid #c5ccd8",
  background: "#ffffff",
} as const;
