ALTER TABLE "book" ADD COLUMN "slug" text;
--> statement-breakpoint
UPDATE "book" SET "slug" = replace(lower("title"), ' ', '-');
--> statement-breakpoint
ALTER TABLE "book" ALTER COLUMN "slug" SET NOT NULL;
