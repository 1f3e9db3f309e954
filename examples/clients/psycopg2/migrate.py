"""A schema and its changes by psycopg 2: `migrate.py STEP`. Where to connect is said by libpq's environment."""

import io
import sys

import psycopg2
from psycopg2 import errors
from psycopg2.extras import execute_values


def create(connection):
    # The connection as a context is a transaction: COMMIT at its end, ROLLBACK after an exception.
    with connection, connection.cursor() as cursor:
        cursor.execute("CREATE TABLE author (id serial PRIMARY KEY, name text NOT NULL)")
        cursor.execute("CREATE TABLE book (id serial PRIMARY KEY, author_id integer NOT NULL, title text NOT NULL)")


def fill(connection):
    with connection, connection.cursor() as cursor:
        execute_values(cursor, "INSERT INTO author (name) VALUES %s", [("Woolf",), ("Дюма",), ("O'Brien",)])
        books = "1\tOrlando\n1\tThe Waves\n2\tМонте-Кристо\n3\tAt Swim-Two-Birds\n"
        cursor.copy_expert("COPY book (author_id, title) FROM STDIN", io.StringIO(books))


def backfill(connection):
    with connection, connection.cursor() as cursor:
        cursor.execute("ALTER TABLE book ADD COLUMN slug text")
        cursor.execute("SELECT id, title FROM book ORDER BY id")
        for key, title in cursor.fetchall():
            cursor.execute("UPDATE book SET slug = %s WHERE id = %s", (title.lower().replace(" ", "-"), key))
        cursor.execute("ALTER TABLE book ALTER COLUMN slug SET NOT NULL")


def constrain(connection):
    # Several statements in one text, outside a transaction of the client's: PostgreSQL makes it one by itself.
    connection.autocommit = True
    with connection.cursor() as cursor:
        cursor.execute(
            "ALTER TABLE book ADD CONSTRAINT book_author FOREIGN KEY (author_id) REFERENCES author;"
            " CREATE UNIQUE INDEX book_slug ON book (slug)"
        )


def rename(connection):
    connection.autocommit = True
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE book RENAME COLUMN slug TO short_name")
        cursor.execute("ALTER INDEX book_slug RENAME TO book_short_name")


def broken(connection):
    with connection, connection.cursor() as cursor:
        cursor.execute("ALTER TABLE author ADD COLUMN born integer DEFAULT 1882")
        cursor.execute("UPDATE author SET born = 1802 WHERE name = %s", ("Дюма",))
        cursor.execute("ALTER TABLE author ADD CONSTRAINT author_born CHECK (born > 1850)")


def savepoint(connection):
    with connection, connection.cursor() as cursor:
        cursor.execute("ALTER TABLE author ADD COLUMN born integer")
        cursor.execute("UPDATE author SET born = 1802 WHERE name = %s", ("Дюма",))
        cursor.execute("SAVEPOINT before_check")
        try:
            cursor.execute("ALTER TABLE author ADD CONSTRAINT author_born CHECK (born > 1850)")
        except errors.CheckViolation:
            cursor.execute("ROLLBACK TO SAVEPOINT before_check")
        cursor.execute("ALTER TABLE author ADD CONSTRAINT author_born CHECK (born > 1750)")


def drop(connection):
    with connection, connection.cursor() as cursor:
        cursor.execute("DROP TABLE book, author")


if __name__ == "__main__":
    session = psycopg2.connect("")
    globals()[sys.argv[1]](session)
    session.close()
