"""A schema and its changes by psycopg 3: `migrate.py STEP`. Where to connect is said by libpq's environment."""

import sys
from uuid import UUID

import psycopg
from psycopg import errors


def create(connection):
    # Sent by the extended protocol in one pipeline: nothing waits for an answer before its end.
    with connection.transaction(), connection.pipeline():
        connection.execute("CREATE TABLE author (id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL)")
        connection.execute("CREATE TABLE book (id uuid PRIMARY KEY, author_id integer NOT NULL, title text NOT NULL)")


def fill(connection):
    with connection.transaction():
        with connection.cursor() as cursor:
            cursor.executemany("INSERT INTO author (name) VALUES (%s)", [("Woolf",), ("Дюма",), ("O'Brien",)])
        copy = "COPY book (id, author_id, title) FROM STDIN (FORMAT binary)"
        with connection.cursor() as cursor, cursor.copy(copy) as rows:
            rows.set_types(["uuid", "int4", "text"])
            for number, (author, title) in enumerate([(1, "Orlando"), (1, "The Waves"), (2, "Монте-Кристо")]):
                rows.write_row((UUID(int=number), author, title))


def backfill(connection):
    with connection.transaction():
        connection.execute("ALTER TABLE book ADD COLUMN slug text", prepare=True)
        for key, title in connection.execute("SELECT id, title FROM book ORDER BY id").fetchall():
            connection.execute(
                "UPDATE book SET slug = %s WHERE id = %s", (title.lower().replace(" ", "-"), key), prepare=True
            )
        connection.execute("ALTER TABLE book ALTER COLUMN slug SET NOT NULL", prepare=True)


def constrain(connection):
    # A pipeline outside a transaction: what stands before its Sync is one transaction of the server's.
    connection.autocommit = True
    with connection.pipeline():
        connection.execute("ALTER TABLE book ADD CONSTRAINT book_author FOREIGN KEY (author_id) REFERENCES author")
        connection.execute("CREATE UNIQUE INDEX book_slug ON book (slug)")
        connection.execute("UPDATE author SET name = upper(name) WHERE id = %s", (1,))


def rename(connection):
    connection.autocommit = True
    connection.execute("ALTER TABLE book RENAME COLUMN slug TO short_name")
    connection.execute("ALTER INDEX book_slug RENAME TO book_short_name")


def broken(connection):
    with connection.transaction():
        connection.execute("ALTER TABLE author ADD COLUMN born integer DEFAULT 1882")
        connection.execute("UPDATE author SET born = %s WHERE name = %s", (1802, "Дюма"))
        connection.execute("ALTER TABLE author ADD CONSTRAINT author_born CHECK (born > 1850)")


def broken_pipeline(connection):
    connection.autocommit = True
    with connection.pipeline():
        connection.execute("ALTER TABLE author ADD COLUMN born integer")
        connection.execute("UPDATE author SET born = %s", (1802,))
        connection.execute("ALTER TABLE nothing ADD COLUMN born integer")
        connection.execute("ALTER TABLE author ALTER COLUMN born SET NOT NULL")


def savepoint(connection):
    with connection.transaction():
        connection.execute("ALTER TABLE author ADD COLUMN born integer")
        connection.execute("UPDATE author SET born = %s WHERE name = %s", (1802, "Дюма"))
        try:
            # A transaction inside a transaction is a savepoint.
            with connection.transaction():
                connection.execute("ALTER TABLE author ADD CONSTRAINT author_born CHECK (born > 1850)")
        except errors.CheckViolation:
            connection.execute("ALTER TABLE author ADD CONSTRAINT author_born CHECK (born > 1750)")


def drop(connection):
    with connection.transaction():
        connection.execute("DROP TABLE book, author")


if __name__ == "__main__":
    with psycopg.connect("") as session:
        globals()[sys.argv[1]](session)
