CREATE TABLE "author" (
	"id" serial PRIMARY KEY NOT NULL,
	"name" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "book" (
	"id" serial PRIMARY KEY NOT NULL,
	"author_id" integer NOT NULL,
	"title" text NOT NULL
);
--> statement-breakpoint
INSERT INTO "author" ("name") VALUES ('Woolf'), ('Дюма');
--> statement-breakpoint
INSERT INTO "book" ("author_id", "title") VALUES (1, 'Orlando'), (1, 'The Waves'), (2, 'Монте-Кристо');
