-- CreateTable
CREATE TABLE "FlowDocumentArchive" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "flowId" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "reason" TEXT NOT NULL,
    "updates" TEXT NOT NULL,
    CONSTRAINT "FlowDocumentArchive_flowId_fkey" FOREIGN KEY ("flowId") REFERENCES "Flow" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "FlowDocumentArchive_flowId_idx" ON "FlowDocumentArchive"("flowId");
