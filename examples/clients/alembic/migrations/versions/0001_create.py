"""Two tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade():
    author = op.create_table(
        "author",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
    )
    op.create_table(
        "book",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("author_id", sa.Integer, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
    )
    op.bulk_insert(author, [{"name": "Woolf"}])
    op.execute("INSERT INTO book (author_id, title) SELECT id, t FROM author, (VALUES ('Orlando'), ('The Waves')) v (t)")


def downgrade():
    op.drop_table("book")
    op.drop_table("author")
