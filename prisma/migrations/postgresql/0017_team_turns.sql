-- DropIndex
DROP INDEX "Run_status_priority_createdAt_idx";

-- CreateIndex
CREATE INDEX "Run_status_teamId_priority_createdAt_idx" ON "Run"("status", "teamId", "priority", "createdAt");

-- Claims the waiting run whose turn it is (lib/server/runs/drive/claim-run.ts). One statement of the client: a client that stops in the
-- middle of it holds no lock. The claims wait for each other, and each counts what those before it have left.
CREATE FUNCTION "claimNextRun"("claimant" TEXT, "now" TIMESTAMP, "until" TIMESTAMP, "most" INT)
RETURNS TABLE ("id" TEXT, "epoch" INT, "priority" INT) LANGUAGE plpgsql VOLATILE AS $function$
#variable_conflict use_column
BEGIN
  PERFORM pg_advisory_xact_lock(7283645120);
  RETURN QUERY
  UPDATE "Run" AS "claimed" SET "status" = 'RUNNING', "owner" = "claimant", "epoch" = "claimed"."epoch" + 1, "leaseUntil" = "until",
    "startedAt" = coalesce("claimed"."startedAt", "now")
  WHERE "claimed"."status" = 'INIT' AND "claimed"."id" = (
    WITH RECURSIVE "waiting"("teamId") AS (
      (SELECT "first"."teamId" FROM "Run" AS "first" WHERE "first"."status" = 'INIT' ORDER BY "first"."teamId" LIMIT 1)
      UNION ALL
      SELECT (SELECT "next"."teamId" FROM "Run" AS "next" WHERE "next"."status" = 'INIT' AND "next"."teamId" > "waiting"."teamId"
        ORDER BY "next"."teamId" LIMIT 1)
      FROM "waiting" WHERE "waiting"."teamId" IS NOT NULL
    ), "turn" AS (
      SELECT (SELECT count(*) FROM "Run" AS "busy" WHERE "busy"."status" = 'RUNNING' AND "busy"."teamId" = "waiting"."teamId") AS "load",
        (SELECT "first"."id" FROM "Run" AS "first" WHERE "first"."status" = 'INIT' AND "first"."teamId" = "waiting"."teamId"
          ORDER BY "first"."priority", "first"."createdAt", "first"."id" LIMIT 1) AS "id"
      FROM "waiting" WHERE "waiting"."teamId" IS NOT NULL
    )
    SELECT "run"."id" FROM "turn" JOIN "Run" AS "run" ON "run"."id" = "turn"."id"
    WHERE "turn"."load" < "most"
    ORDER BY "turn"."load", "run"."priority", "run"."createdAt", "run"."id" LIMIT 1
  ) RETURNING "claimed"."id", "claimed"."epoch", "claimed"."priority";
END
$function$;
