"""Fails at its end and leaves nothing."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade():
    op.create_table("publisher", sa.Column("id", sa.Integer, primary_key=True))
    op.add_column("book", sa.Column("publisher_id", sa.Integer, sa.ForeignKey("publisher.id")))
    op.execute("UPDATE book SET price = 12")
    op.create_check_constraint("book_cheap", "book", "price < 10")
