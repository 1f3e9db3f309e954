"""Run by Alembic's command. Where to connect is said by libpq's environment."""

import os
import sys

from alembic import context
from sqlalchemy import create_engine

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from models import Base  # noqa: E402

with create_engine("postgresql+psycopg2://").connect() as connection:
    context.configure(connection=connection, target_metadata=Base.metadata, transaction_per_migration=True)
    with context.begin_transaction():
        context.run_migrations()
