-- CreateTable
CREATE TABLE "FlowDocument" (
    "flowId" TEXT COLLATE "C" NOT NULL,
    "lineage" TEXT COLLATE "C" NOT NULL,
    "revisionId" TEXT COLLATE "C" NOT NULL,
    "savedSeq" INTEGER NOT NULL,

    CONSTRAINT "FlowDocument_pkey" PRIMARY KEY ("flowId")
);

-- CreateTable
CREATE TABLE "FlowUpdate" (
    "flowId" TEXT COLLATE "C" NOT NULL,
    "seq" INTEGER NOT NULL,
    "body" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "createdById" TEXT COLLATE "C" NOT NULL,
    "createdBy" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "FlowUpdate_pkey" PRIMARY KEY ("flowId","seq")
);

-- AddForeignKey
ALTER TABLE "FlowDocument" ADD CONSTRAINT "FlowDocument_flowId_fkey" FOREIGN KEY ("flowId") REFERENCES "Flow"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "FlowUpdate" ADD CONSTRAINT "FlowUpdate_flowId_fkey" FOREIGN KEY ("flowId") REFERENCES "Flow"("id") ON DELETE CASCADE ON UPDATE CASCADE;
