"""Another name."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("library", "0003_constrain")]
    operations = [migrations.RenameField("Book", "slug", "short_name")]
