-- The schema as the migrations 0001 to 0008 of SQLite leave it
-- CreateTable
CREATE TABLE "Flow" (
    "id" TEXT COLLATE "C" NOT NULL,
    "teamId" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "outline" TEXT COLLATE "C" NOT NULL,
    "agents" INTEGER NOT NULL,
    "errors" INTEGER NOT NULL,
    "revisionId" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "search" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "picture" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "tags" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "deletedAt" TIMESTAMP(3),

    CONSTRAINT "Flow_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Revision" (
    "id" TEXT COLLATE "C" NOT NULL,
    "flowId" TEXT COLLATE "C" NOT NULL,
    "hash" TEXT COLLATE "C" NOT NULL,
    "source" TEXT COLLATE "C" NOT NULL,
    "layout" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "name" TEXT COLLATE "C",
    "summary" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "createdById" TEXT COLLATE "C" NOT NULL DEFAULT 'local',
    "createdBy" TEXT COLLATE "C" NOT NULL DEFAULT 'You',

    CONSTRAINT "Revision_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Run" (
    "id" TEXT COLLATE "C" NOT NULL,
    "teamId" TEXT COLLATE "C" NOT NULL,
    "flowId" TEXT COLLATE "C" NOT NULL,
    "revisionId" TEXT COLLATE "C" NOT NULL,
    "flowName" TEXT COLLATE "C" NOT NULL,
    "status" TEXT COLLATE "C" NOT NULL,
    "error" TEXT COLLATE "C",
    "input" TEXT COLLATE "C" NOT NULL,
    "messages" TEXT COLLATE "C" NOT NULL,
    "output" TEXT COLLATE "C" NOT NULL,
    "usage" TEXT COLLATE "C" NOT NULL,
    "simulated" BOOLEAN NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "startedAt" TIMESTAMP(3),
    "endedAt" TIMESTAMP(3),
    "owner" TEXT COLLATE "C",
    "epoch" INTEGER NOT NULL,
    "leaseUntil" TIMESTAMP(3),
    "cancelRequested" BOOLEAN NOT NULL,
    "startedById" TEXT COLLATE "C" NOT NULL DEFAULT 'local',
    "startedBy" TEXT COLLATE "C" NOT NULL DEFAULT 'You',
    "errorCode" TEXT COLLATE "C",
    "tokens" INTEGER NOT NULL DEFAULT 0,
    "cost" DOUBLE PRECISION,
    "durationMs" DOUBLE PRECISION,
    "models" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "search" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "traceDone" BOOLEAN NOT NULL DEFAULT false,
    "traceTries" INTEGER NOT NULL DEFAULT 0,
    "traceNextAt" TIMESTAMP(3),
    "warnings" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "Run_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "RunNode" (
    "runId" TEXT COLLATE "C" NOT NULL,
    "nodeId" INTEGER NOT NULL,
    "parentId" INTEGER,
    "path" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "status" TEXT COLLATE "C" NOT NULL,
    "startedAt" TIMESTAMP(3) NOT NULL,
    "endedAt" TIMESTAMP(3),
    "body" TEXT COLLATE "C" NOT NULL,
    "facts" TEXT COLLATE "C" NOT NULL DEFAULT '',

    CONSTRAINT "RunNode_pkey" PRIMARY KEY ("runId","nodeId")
);

-- CreateTable
CREATE TABLE "RunEvent" (
    "runId" TEXT COLLATE "C" NOT NULL,
    "seq" INTEGER NOT NULL,
    "type" TEXT COLLATE "C" NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,
    "body" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "RunEvent_pkey" PRIMARY KEY ("runId","seq")
);

-- CreateTable
CREATE TABLE "RunAnswer" (
    "runId" TEXT COLLATE "C" NOT NULL,
    "question" INTEGER NOT NULL,
    "body" TEXT COLLATE "C" NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "RunAnswer_pkey" PRIMARY KEY ("runId","question")
);

-- CreateTable
CREATE TABLE "RunPayload" (
    "runId" TEXT COLLATE "C" NOT NULL,
    "nodeId" INTEGER NOT NULL,
    "field" TEXT COLLATE "C" NOT NULL,
    "body" TEXT COLLATE "C" NOT NULL,
    "sameAs" TEXT COLLATE "C",

    CONSTRAINT "RunPayload_pkey" PRIMARY KEY ("runId","nodeId","field")
);

-- CreateTable
CREATE TABLE "TraceExport" (
    "teamId" TEXT COLLATE "C" NOT NULL,
    "endpoint" TEXT COLLATE "C" NOT NULL,
    "headers" TEXT COLLATE "C" NOT NULL,
    "content" BOOLEAN NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "since" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "lastSentAt" TIMESTAMP(3),
    "lastError" TEXT COLLATE "C",

    CONSTRAINT "TraceExport_pkey" PRIMARY KEY ("teamId")
);

-- CreateTable
CREATE TABLE "Connection" (
    "id" TEXT COLLATE "C" NOT NULL,
    "teamId" TEXT COLLATE "C" NOT NULL,
    "provider" TEXT COLLATE "C" NOT NULL,
    "baseUrl" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "sealedKey" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "secretId" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "lastFour" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "createdById" TEXT COLLATE "C" NOT NULL,
    "createdBy" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "lastUsedAt" TIMESTAMP(3),

    CONSTRAINT "Connection_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "Flow_teamId_deletedAt_updatedAt_idx" ON "Flow"("teamId", "deletedAt", "updatedAt");

-- CreateIndex
CREATE INDEX "Revision_flowId_createdAt_idx" ON "Revision"("flowId", "createdAt");

-- CreateIndex
CREATE INDEX "Run_flowId_createdAt_idx" ON "Run"("flowId", "createdAt");

-- CreateIndex
CREATE INDEX "Run_revisionId_idx" ON "Run"("revisionId");

-- CreateIndex
CREATE INDEX "Run_status_leaseUntil_idx" ON "Run"("status", "leaseUntil");

-- CreateIndex
CREATE INDEX "Run_list_idx" ON "Run"("teamId", "createdAt", "id", "status", "flowId", "startedById", "startedBy", "errorCode", "simulated", "tokens", "cost", "durationMs");

-- CreateIndex
CREATE INDEX "Run_teamId_traceDone_endedAt_idx" ON "Run"("teamId", "traceDone", "endedAt");

-- CreateIndex
CREATE INDEX "RunNode_runId_path_idx" ON "RunNode"("runId", "path");

-- CreateIndex
CREATE UNIQUE INDEX "Connection_teamId_provider_key" ON "Connection"("teamId", "provider");

-- AddForeignKey
ALTER TABLE "Revision" ADD CONSTRAINT "Revision_flowId_fkey" FOREIGN KEY ("flowId") REFERENCES "Flow"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Run" ADD CONSTRAINT "Run_flowId_fkey" FOREIGN KEY ("flowId") REFERENCES "Flow"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Run" ADD CONSTRAINT "Run_revisionId_fkey" FOREIGN KEY ("revisionId") REFERENCES "Revision"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "RunNode" ADD CONSTRAINT "RunNode_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "RunEvent" ADD CONSTRAINT "RunEvent_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "RunAnswer" ADD CONSTRAINT "RunAnswer_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "RunPayload" ADD CONSTRAINT "RunPayload_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE CASCADE ON UPDATE CASCADE;
