"""The models as they are after revision 0004."""

from sqlalchemy import CheckConstraint, Column, Enum, ForeignKey, Integer, Text, UniqueConstraint
from sqlalchemy.orm import declarative_base, relationship

Base = declarative_base()


class Author(Base):
    __tablename__ = "author"

    id = Column(Integer, primary_key=True)
    name = Column(Text, nullable=False)
    books = relationship("Book", back_populates="author")


class Book(Base):
    __tablename__ = "book"
    __table_args__ = (
        UniqueConstraint("short_name", name="book_short_name"),
        CheckConstraint("price >= 0", name="book_price"),
    )

    id = Column(Integer, primary_key=True)
    author_id = Column(ForeignKey("author.id", name="book_author"), nullable=False, index=True)
    title = Column(Text, nullable=False)
    price = Column(Integer, nullable=False, server_default="0")
    short_name = Column(Text, nullable=False)
    cover = Column(Enum("hard", "soft", name="cover"))
    author = relationship("Author", back_populates="books")
