"""Another name, and a type of the database's own."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

cover = sa.Enum("hard", "soft", name="cover")


def upgrade():
    op.alter_column("book", "slug", new_column_name="short_name")
    op.execute("ALTER TABLE book RENAME CONSTRAINT book_slug TO book_short_name")
    cover.create(op.get_bind())
    op.add_column("book", sa.Column("cover", cover))


def downgrade():
    op.drop_column("book", "cover")
    cover.drop(op.get_bind())
    op.execute("ALTER TABLE book RENAME CONSTRAINT book_short_name TO book_slug")
    op.alter_column("book", "short_name", new_column_name="slug")
