"""A column with a default, a check and an index."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("library", "0002_backfill")]
    operations = [
        migrations.AddField("Book", "price", models.DecimalField(max_digits=8, decimal_places=2, default=0)),
        migrations.AddConstraint("Book", models.CheckConstraint(check=models.Q(price__gte=0), name="book_price")),
        migrations.AddIndex("Book", models.Index(fields=["author", "title"], name="book_author_title")),
    ]
