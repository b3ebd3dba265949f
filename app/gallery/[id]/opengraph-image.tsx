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
  const shown = agentNames.map((agent) => toDrawable(agent.slice(0, 24))).filter(Boolean);
  return new ImageResponse(
    <div style={page}>
      <div style={{ display: "flex", fontSize: 30, color: "#5b6472" }}>Swarmloom</div>
      <div style={{ display: "flex", flexDirection: "column", gap: 20 }}>
        <div style={{ display: "flex", fontSize: 76, fontWeight: 700, lineHeight: 1.1 }}>
          {toDrawable(name.slice(0, 80)) || "A flow"}
        </div>
        <div style={{ display: "flex", fontSize: 32, color: "#5b6472" }}>
          {`${countNouns(agents, "agent")}, by ${toDrawable(team.slice(0, 60)) || "a team"}`}
        </div>
      </div>
      <div style={{ display: "flex", flexWrap: "wrap", gap: 16 }}>
        {shown.slice(0, mostShown).map((agent) => (
          <div key={agent} style={chip}>
            {agent}
          </div>
        ))}
      </div>
    </div>,
    size,
  );
}

/** The letters of the font at hand: for others the library asks servers of Google and of others for fonts and pictures. */
const undrawable =
  /[^\u0020-\u007e\u00a2-\u00ac\u00ae-\u0113\u0116-\u012b\u012e-\u0137\u0139-\u013e\u0141-\u0148\u014a-\u014d\u0150-\u017e]+/gu;
const toDrawable = (text: string): string => text.replace(undrawable, " ").trim();

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
