import { expect, test } from "../fixtures/test";

test("the benchmark pages do not exist for users", async ({ request }) => {
  for (const page of ["canvas?n=10", "editor?lines=40", "run-canvas?n=10"]) {
    const answer = await request.get(`/bench/${page}`);
    expect(answer.status()).toBe(404);
    expect(await answer.text()).not.toContain("bench-editor");
  }
});
