-- AlterTable: columns are added one by one. Rebuilding the table would delete the steps and events of its runs with it.
ALTER TABLE "Run" ADD COLUMN "startedById" TEXT NOT NULL DEFAULT 'local';
ALTER TABLE "Run" ADD COLUMN "startedBy" TEXT NOT NULL DEFAULT 'You';
ALTER TABLE "Run" ADD COLUMN "errorCode" TEXT;
ALTER TABLE "Run" ADD COLUMN "tokens" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "Run" ADD COLUMN "cost" REAL;
ALTER TABLE "Run" ADD COLUMN "durationMs" REAL;
ALTER TABLE "Run" ADD COLUMN "models" TEXT NOT NULL DEFAULT '';
ALTER TABLE "Run" ADD COLUMN "search" TEXT NOT NULL DEFAULT '';

-- DropIndex
DROP INDEX "Run_teamId_createdAt_id_idx";

-- CreateIndex
CREATE INDEX "Run_list_idx" ON "Run"("teamId", "createdAt", "id", "status", "flowId", "startedById", "startedBy", "errorCode", "simulated", "tokens", "cost", "durationMs");

-- What runs of earlier versions have of it.
UPDATE "Run" SET
    "errorCode" = CASE WHEN json_valid("error") THEN json_extract("error", '$.code') END,
    "tokens" = coalesce(json_extract("usage", '$.input'), 0) + coalesce(json_extract("usage", '$.output'), 0),
    "cost" = json_extract("usage", '$.cost'),
    "durationMs" = round((julianday("endedAt") - julianday("startedAt")) * 86400000),
    "models" = coalesce((
        SELECT char(10) || group_concat("name", char(10)) || char(10)
        FROM (SELECT DISTINCT "name" FROM "RunNode" WHERE "runId" = "Run"."id" AND "kind" = 'llm_call')
    ), ''),
    "search" = lower(substr("input", 1, 100000) || char(10) || substr(coalesce(
        (SELECT "body" FROM "RunPayload" WHERE "runId" = "Run"."id" AND "nodeId" = 0 AND "field" = 'output'),
        CASE WHEN json_valid("output") THEN json_extract("output", '$.text') END,
        ''
    ), 1, 100000));
