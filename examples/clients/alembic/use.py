"""What an application does between migrations: `use.py add` writes rows, `use.py compare` compares models and database."""

import sys

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from models import Author, Base, Book
from sqlalchemy import create_engine, text
from sqlalchemy.orm import Session

engine = create_engine("postgresql+psycopg2://")


def add():
    # Revision 0003 has no short_name yet: the rest of the model is there.
    with engine.begin() as connection:
        connection.execute(Author.__table__.insert(), [{"name": "Joyce"}, {"name": "Дюма"}])
        connection.execute(
            text("INSERT INTO book (author_id, title, slug, price) SELECT id, 'Title of ' || name, 's' || id, 5 FROM author")
        )


def compare():
    # Tables of others are none of its business.
    options = {"compare_type": True, "include_name": lambda name, kind, _: kind != "table" or name in Base.metadata.tables}
    with engine.connect() as connection:
        differences = compare_metadata(MigrationContext.configure(connection, opts=options), Base.metadata)
    if differences:
        sys.exit("the database is not what the models say: %s" % differences)
    with Session(engine) as session:
        author = Author(name="O'Brien", books=[Book(title="At Swim-Two-Birds", short_name="swim", cover="soft")])
        session.add(author)
        session.commit()


globals()[sys.argv[1]]()
