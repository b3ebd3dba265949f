-- CreateTable
CREATE TABLE "FlowDocument" (
    "flowId" TEXT NOT NULL PRIMARY KEY,
    "lineage" TEXT NOT NULL,
    "revisionId" TEXT NOT NULL,
    "savedSeq" INTEGER NOT NULL,
    CONSTRAINT "FlowDocument_flowId_fkey" FOREIGN KEY ("flowId") REFERENCES "Flow" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "FlowUpdate" (
    "flowId" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "body" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "createdById" TEXT NOT NULL,
    "createdBy" TEXT NOT NULL,

    PRIMARY KEY ("flowId", "seq"),
    CONSTRAINT "FlowUpdate_flowId_fkey" FOREIGN KEY ("flowId") REFERENCES "Flow" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
