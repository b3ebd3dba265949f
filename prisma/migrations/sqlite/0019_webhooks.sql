-- CreateTable
CREATE TABLE "Webhook" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "teamId" TEXT NOT NULL,
    "flowId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "sealedKey" TEXT NOT NULL,
    "secretId" TEXT NOT NULL,
    "lastFour" TEXT NOT NULL,
    "inputPath" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "lastAt" DATETIME,
    "lastRunId" TEXT,
    "lastProblem" TEXT,
    "lastProblemAt" DATETIME,
    "createdById" TEXT NOT NULL,
    "createdBy" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    CONSTRAINT "Webhook_flowId_fkey" FOREIGN KEY ("flowId") REFERENCES "Flow" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE UNIQUE INDEX "Webhook_token_key" ON "Webhook"("token");

-- CreateIndex
CREATE INDEX "Webhook_teamId_createdAt_idx" ON "Webhook"("teamId", "createdAt");

-- CreateIndex
CREATE INDEX "Webhook_flowId_idx" ON "Webhook"("flowId");
