"""The models as they are after migration 0004."""

from django.db import models


class Author(models.Model):
    name = models.CharField(max_length=100)


class Book(models.Model):
    author = models.ForeignKey(Author, on_delete=models.CASCADE)
    title = models.CharField(max_length=200)
    short_name = models.SlugField(max_length=200, unique=True)
    price = models.DecimalField(max_digits=8, decimal_places=2, default=0)

    class Meta:
        constraints = [models.CheckConstraint(check=models.Q(price__gte=0), name="book_price")]
        indexes = [models.Index(fields=["author", "title"], name="book_author_title")]
