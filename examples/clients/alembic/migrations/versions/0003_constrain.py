"""A foreign key, a check, a unique constraint and an index."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade():
    op.add_column("book", sa.Column("price", sa.Integer, nullable=False, server_default="0"))
    op.create_check_constraint("book_price", "book", "price >= 0")
    op.create_foreign_key("book_author", "book", "author", ["author_id"], ["id"])
    op.create_unique_constraint("book_slug", "book", ["slug"])
    op.create_index("ix_book_author_id", "book", ["author_id"])


def downgrade():
    op.drop_index("ix_book_author_id")
    op.drop_constraint("book_slug", "book")
    op.drop_constraint("book_author", "book")
    op.drop_column("book", "price")
