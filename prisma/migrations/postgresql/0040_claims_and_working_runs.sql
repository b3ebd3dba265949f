-- AlterTable
ALTER TABLE "Invitation" ADD COLUMN     "claimedBy" TEXT COLLATE "C";

-- Until now the address was in the column of the user who accepts.
UPDATE "Invitation" SET "claimedBy" = "acceptedBy", "acceptedBy" = NULL WHERE "acceptedAt" IS NULL AND "acceptedBy" IS NOT NULL;

-- AlterTable
ALTER TABLE "Run" ADD COLUMN "isWorking" BOOLEAN NOT NULL DEFAULT false;

-- CreateIndex
CREATE INDEX "Run_isWorking_teamId_idx" ON "Run"("isWorking", "teamId");

-- As in 0028; runs of which one step waits for a person while another is at work count, too.
CREATE OR REPLACE FUNCTION "claimNextRun"("claimant" TEXT, "now" TIMESTAMP, "until" TIMESTAMP, "most" INT)
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
      SELECT (SELECT count(*) FROM "Run" AS "busy" WHERE "busy"."status" = 'RUNNING' AND "busy"."teamId" = "waiting"."teamId")
          + (SELECT count(*) FROM "Run" AS "both" WHERE "both"."isWorking" AND "both"."status" = 'WAITING' AND "both"."teamId" = "waiting"."teamId") AS "load",
        (SELECT "setting"."maxConcurrentRuns" FROM "TeamSetting" AS "setting" WHERE "setting"."teamId" = "waiting"."teamId") AS "teamMost",
        (SELECT "first"."id" FROM "Run" AS "first" WHERE "first"."status" = 'INIT' AND "first"."teamId" = "waiting"."teamId"
          ORDER BY "first"."priority", "first"."createdAt", "first"."id" LIMIT 1) AS "id"
      FROM "waiting" WHERE "waiting"."teamId" IS NOT NULL
    )
    SELECT "run"."id" FROM "turn" JOIN "Run" AS "run" ON "run"."id" = "turn"."id"
    WHERE "turn"."load" < least("most", coalesce("turn"."teamMost", "most"))
    ORDER BY "turn"."load", "run"."priority", "run"."createdAt", "run"."id" LIMIT 1
  ) RETURNING "claimed"."id", "claimed"."epoch", "claimed"."priority";
END
$function$;
