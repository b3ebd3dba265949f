import { TestEditor } from "@/lib/server/collaboration/testing/test-editor";
import { ApiUser } from "../fixtures/api-user";
import { startTeamServer, type TeamServer } from "../fixtures/team-server";
import { expect, test } from "../fixtures/test";

const source = 'name: Guarded\nagents:\n  a: { model: "demo:writer" }\nswarm: { type: workflow, flow: a }\n';

const connect = (server: TeamServer, flow: string, headers: Record<string, string>): Promise<TestEditor> =>
  new TestEditor(`${server.url.replace("http", "ws")}/api/v1/flows/${flow}/live`, headers).connect();

test("the connection of editors is open to the members of the team, and changes are taken from its Editors", async () => {
  test.setTimeout(180_000);
  const server = await startTeamServer();
  try {
    const owner = await new ApiUser(server, "owner").signUp(server.token);
    const stranger = await new ApiUser(server, "stranger").signUp(server.token);
    const { id } = await owner.read("POST", "/api/v1/flows", { source });
    const { cookie } = owner;
    const refused: [string, string, Record<string, string>, string][] = [
      ["no one", id, {}, "401"],
      ["a member of another team", id, { cookie: stranger.cookie }, "404"],
      ["an unknown flow", "00000000-0000-4000-8000-000000000000", { cookie }, "404"],
      ["a page of another site", id, { cookie, origin: "https://evil.example" }, "403"],
      ["another host", id, { cookie, host: "evil.example" }, "403"],
      ["an API key", id, { authorization: `Bearer swl_${"k".repeat(43)}` }, "403"],
    ];
    for (const [who, flow, headers, status] of refused)
      await expect(connect(server, flow, headers), who).rejects.toThrow(status);

    const watcher = await connect(server, id, { cookie, origin: server.url });
    watcher.join();
    await expect.poll(() => watcher.text).toBe(source);
    for (const role of ["viewer", "runner", "editor", "admin"]) {
      const { token } = await owner.read("POST", "/api/v1/teams/local/invitations", { role });
      const user = await new ApiUser(server, role).signUp(token);
      await user.read("POST", `/api/v1/invitations/${token}/accept`);
      const editor = await connect(server, id, { cookie: user.cookie, origin: server.url });
      editor.join();
      await expect.poll(() => editor.text).not.toBe("");
      editor.type((text) => `${text}# by the ${role}\n`);
      editor.save();
      await expect.poll(() => editor.find("saved") ?? editor.find("refused")).toBeDefined();
      editor.cut();
    }
    await expect.poll(() => watcher.text).toBe(`${source}# by the editor\n# by the admin\n`);
    expect((await owner.read("GET", `/api/v1/flows/${id}`)).source).toBe(watcher.text);
    const { entries } = await owner.read("GET", "/api/v1/audit?action=flow.changed");
    const actors = entries.map(({ actor }: { actor: { name: string } }) => actor.name);
    expect(actors.sort()).toEqual(["admin", "editor"]);
    watcher.cut();
  } finally {
    await server.stop();
  }
});
