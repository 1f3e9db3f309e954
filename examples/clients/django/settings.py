"""Settings of the example. Where to connect is said by libpq's environment."""

import os

SECRET_KEY = "an example has no secrets"
INSTALLED_APPS = ["django.contrib.contenttypes", "django.contrib.auth", "library"]
DATABASES = {"default": {"ENGINE": "django.db.backends.postgresql", "NAME": os.environ["PGDATABASE"]}}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
USE_TZ = True
