-- CreateTable
CREATE TABLE "Flow" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "teamId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "outline" TEXT NOT NULL,
    "agents" INTEGER NOT NULL,
    "errors" INTEGER NOT NULL,
    "revisionId" TEXT,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "Revision" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "flowId" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "layout" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    CONSTRAINT "Revision_flowId_fkey" FOREIGN KEY ("flowId") REFERENCES "Flow" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Run" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "teamId" TEXT NOT NULL,
    "flowId" TEXT NOT NULL,
    "revisionId" TEXT NOT NULL,
    "flowName" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "error" TEXT,
    "input" TEXT NOT NULL,
    "messages" TEXT NOT NULL,
    "output" TEXT NOT NULL,
    "usage" TEXT NOT NULL,
    "simulated" BOOLEAN NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "startedAt" DATETIME,
    "endedAt" DATETIME,
    "owner" TEXT,
    "epoch" INTEGER NOT NULL,
    "leaseUntil" DATETIME,
    "cancelRequested" BOOLEAN NOT NULL,
    CONSTRAINT "Run_flowId_fkey" FOREIGN KEY ("flowId") REFERENCES "Flow" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "Run_revisionId_fkey" FOREIGN KEY ("revisionId") REFERENCES "Revision" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "RunNode" (
    "runId" TEXT NOT NULL,
    "nodeId" INTEGER NOT NULL,
    "parentId" INTEGER,
    "path" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "startedAt" DATETIME NOT NULL,
    "endedAt" DATETIME,
    "body" TEXT NOT NULL,

    PRIMARY KEY ("runId", "nodeId"),
    CONSTRAINT "RunNode_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "RunEvent" (
    "runId" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "at" DATETIME NOT NULL,
    "body" TEXT NOT NULL,

    PRIMARY KEY ("runId", "seq"),
    CONSTRAINT "RunEvent_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "RunPayload" (
    "runId" TEXT NOT NULL,
    "nodeId" INTEGER NOT NULL,
    "field" TEXT NOT NULL,
    "body" TEXT NOT NULL,

    PRIMARY KEY ("runId", "nodeId", "field"),
    CONSTRAINT "RunPayload_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "Flow_teamId_updatedAt_idx" ON "Flow"("teamId", "updatedAt");

-- CreateIndex
CREATE INDEX "Revision_flowId_createdAt_idx" ON "Revision"("flowId", "createdAt");

-- CreateIndex
CREATE INDEX "Run_teamId_createdAt_id_idx" ON "Run"("teamId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "Run_flowId_createdAt_idx" ON "Run"("flowId", "createdAt");

-- CreateIndex
CREATE INDEX "Run_revisionId_idx" ON "Run"("revisionId");

-- CreateIndex
CREATE INDEX "Run_status_leaseUntil_idx" ON "Run"("status", "leaseUntil");

-- CreateIndex
CREATE INDEX "RunNode_runId_path_idx" ON "RunNode"("runId", "path");
