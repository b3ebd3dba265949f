-- CreateTable
CREATE TABLE "FlowDocumentArchive" (
    "id" TEXT COLLATE "C" NOT NULL,
    "flowId" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "reason" TEXT COLLATE "C" NOT NULL,
    "updates" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "FlowDocumentArchive_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "FlowDocumentArchive_flowId_idx" ON "FlowDocumentArchive"("flowId");

-- AddForeignKey
ALTER TABLE "FlowDocumentArchive" ADD CONSTRAINT "FlowDocumentArchive_flowId_fkey" FOREIGN KEY ("flowId") REFERENCES "Flow"("id") ON DELETE CASCADE ON UPDATE CASCADE;
