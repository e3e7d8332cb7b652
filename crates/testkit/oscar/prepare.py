"""Makes the database of a shop that nobody has ordered from: prepare.py, with SHOP_DATA as its folder."""
import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "shop.settings")
import django

django.setup()
from django.core.management import call_command

call_command("migrate", no_input=True, verbosity=0)
from shop import seed

seed.run()
