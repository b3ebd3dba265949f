-- AlterTable: a search reads this column of many rows, and half of its time would be spent on decompressing it.
-- Rows that are stored already stay as they are.
ALTER TABLE "Run" ALTER COLUMN "search" SET STORAGE EXTERNAL;
