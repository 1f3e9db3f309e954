CREATE TYPE "public"."cover" AS ENUM('hard', 'soft');
--> statement-breakpoint
ALTER TABLE "book" ADD COLUMN "price" numeric(8, 2) DEFAULT '0' NOT NULL;
--> statement-breakpoint
ALTER TABLE "book" ADD COLUMN "cover" "cover";
--> statement-breakpoint
ALTER TABLE "book" ADD CONSTRAINT "book_author_id_author_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."author"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "book_author_title" ON "book" USING btree ("author_id","title");
