-- AlterTable
ALTER TABLE "Run" ADD COLUMN "maxTokens" INTEGER;
ALTER TABLE "Run" ADD COLUMN "ownKeys" TEXT COLLATE "C" NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "TeamSetting" ADD COLUMN "maxRunsPerMonth" INTEGER;
ALTER TABLE "TeamSetting" ADD COLUMN "maxTokensPerMonth" INTEGER;
ALTER TABLE "TeamSetting" ADD COLUMN "maxConcurrentRuns" INTEGER;
ALTER TABLE "TeamSetting" ADD COLUMN "switchedOffTools" TEXT COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE "TeamSetting" ADD COLUMN "approvalTools" TEXT COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE "TeamSetting" ADD COLUMN "httpHosts" TEXT COLLATE "C";

-- CreateTable
CREATE TABLE "DeletedRunUsage" (
    "teamId" TEXT COLLATE "C" NOT NULL,
    "day" TIMESTAMP(3) NOT NULL,
    "runs" INTEGER NOT NULL,
    "cost" DOUBLE PRECISION NOT NULL,
    "tokens" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "DeletedRunUsage_pkey" PRIMARY KEY ("teamId","day")
);

-- CreateTable
CREATE TABLE "PersonalKey" (
    "userId" TEXT COLLATE "C" NOT NULL,
    "provider" TEXT COLLATE "C" NOT NULL,
    "sealedKey" TEXT COLLATE "C" NOT NULL,
    "secretId" TEXT COLLATE "C" NOT NULL,
    "lastFour" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "lastUsedAt" TIMESTAMP(3),

    CONSTRAINT "PersonalKey_pkey" PRIMARY KEY ("userId","provider")
);

-- AddForeignKey
ALTER TABLE "PersonalKey" ADD CONSTRAINT "PersonalKey_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- As in 0017, with the limit that a team has set for itself.
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
      SELECT (SELECT count(*) FROM "Run" AS "busy" WHERE "busy"."status" = 'RUNNING' AND "busy"."teamId" = "waiting"."teamId") AS "load",
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
