-- CreateTable
CREATE TABLE "Webhook" (
    "id" TEXT COLLATE "C" NOT NULL,
    "teamId" TEXT COLLATE "C" NOT NULL,
    "flowId" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "token" TEXT COLLATE "C" NOT NULL,
    "sealedKey" TEXT COLLATE "C" NOT NULL,
    "secretId" TEXT COLLATE "C" NOT NULL,
    "lastFour" TEXT COLLATE "C" NOT NULL,
    "inputPath" TEXT COLLATE "C" NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "lastAt" TIMESTAMP(3),
    "lastRunId" TEXT COLLATE "C",
    "lastProblem" TEXT COLLATE "C",
    "lastProblemAt" TIMESTAMP(3),
    "createdById" TEXT COLLATE "C" NOT NULL,
    "createdBy" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Webhook_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "Webhook_token_key" ON "Webhook"("token");

-- CreateIndex
CREATE INDEX "Webhook_teamId_createdAt_idx" ON "Webhook"("teamId", "createdAt");

-- CreateIndex
CREATE INDEX "Webhook_flowId_idx" ON "Webhook"("flowId");

-- AddForeignKey
ALTER TABLE "Webhook" ADD CONSTRAINT "Webhook_flowId_fkey" FOREIGN KEY ("flowId") REFERENCES "Flow"("id") ON DELETE CASCADE ON UPDATE CASCADE;
