"""A column with a value for each row that is there."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

book = sa.table("book", sa.column("id", sa.Integer), sa.column("title", sa.Text), sa.column("slug", sa.Text))


def upgrade():
    op.add_column("book", sa.Column("slug", sa.Text))
    connection = op.get_bind()
    for row in connection.execute(sa.select(book.c.id, book.c.title)).fetchall():
        slug = row.title.lower().replace(" ", "-")
        connection.execute(book.update().where(book.c.id == row.id).values(slug=slug))
    op.alter_column("book", "slug", nullable=False)


def downgrade():
    op.drop_column("book", "slug")
