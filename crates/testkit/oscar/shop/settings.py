"""A small real shop: django-oscar with its own templates, two shipping methods and a card step."""
import os
from pathlib import Path
from oscar.defaults import *  # noqa: F401,F403

BASE = Path(os.environ["SHOP_DATA"])
SECRET_KEY = "only-for-loopback-tests"
DEBUG = True
ALLOWED_HOSTS = ["127.0.0.1", "localhost", "shop.test"]
ROOT_URLCONF = "shop.urls"
WSGI_APPLICATION = None
DEFAULT_AUTO_FIELD = "django.db.models.AutoField"
SILENCED_SYSTEM_CHECKS = ["models.W042", "fields.W342", "urls.W002"]
SITE_ID = 1
USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en-gb"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": str(BASE / "shop.sqlite3"),
                         "ATOMIC_REQUESTS": True, "OPTIONS": {"timeout": 20}}}
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}

_forked = {"oscar.apps.shipping.apps.ShippingConfig": "shop.shipping.apps.ShippingConfig",
           "oscar.apps.checkout.apps.CheckoutConfig": "shop.checkout.apps.CheckoutConfig"}
_oscar = ["oscar.config.Shop"] + ["oscar.apps.%s.apps.%sConfig" % p for p in [
    ("analytics", "Analytics"), ("checkout", "Checkout"), ("address", "Address"), ("shipping", "Shipping"),
    ("catalogue", "Catalogue"), ("catalogue.reviews", "CatalogueReviews"), ("communication", "Communication"),
    ("partner", "Partner"), ("basket", "Basket"), ("payment", "Payment"), ("offer", "Offer"), ("order", "Order"),
    ("customer", "Customer"), ("search", "Search"), ("voucher", "Voucher"), ("wishlists", "Wishlists"),
    ("dashboard", "Dashboard"), ("dashboard.reports", "ReportsDashboard"), ("dashboard.users", "UsersDashboard"),
    ("dashboard.orders", "OrdersDashboard"), ("dashboard.catalogue", "CatalogueDashboard"),
    ("dashboard.offers", "OffersDashboard"), ("dashboard.partners", "PartnersDashboard"),
    ("dashboard.pages", "PagesDashboard"), ("dashboard.ranges", "RangesDashboard"),
    ("dashboard.reviews", "ReviewsDashboard"), ("dashboard.vouchers", "VouchersDashboard"),
    ("dashboard.communications", "CommunicationsDashboard"), ("dashboard.shipping", "ShippingDashboard")]]
INSTALLED_APPS = [
    "django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions",
    "django.contrib.messages", "django.contrib.staticfiles", "django.contrib.sites", "django.contrib.flatpages",
] + [_forked.get(a, a) for a in _oscar] + [
    "widget_tweaks", "haystack", "treebeard", "sorl.thumbnail", "django_tables2",
]
MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware", "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware", "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware", "oscar.apps.basket.middleware.BasketMiddleware",
    "django.contrib.flatpages.middleware.FlatpageFallbackMiddleware",
]
TEMPLATES = [{
    "BACKEND": "django.template.backends.django.DjangoTemplates",
    "DIRS": [str(Path(__file__).parent / "templates")],
    "APP_DIRS": True,
    "OPTIONS": {"context_processors": [
        "django.template.context_processors.debug", "django.template.context_processors.request",
        "django.contrib.auth.context_processors.auth", "django.contrib.messages.context_processors.messages",
        "django.template.context_processors.static", "django.template.context_processors.media",
        "oscar.apps.search.context_processors.search_form", "oscar.apps.checkout.context_processors.checkout",
        "oscar.apps.communication.notifications.context_processors.notifications",
        "oscar.core.context_processors.metadata"]},
}]
AUTHENTICATION_BACKENDS = ["oscar.apps.customer.auth_backends.EmailBackend",
                           "django.contrib.auth.backends.ModelBackend"]
HAYSTACK_CONNECTIONS = {"default": {"ENGINE": "haystack.backends.simple_backend.SimpleEngine"}}
STATIC_URL = "/static/"
MEDIA_URL = "/media/"
MEDIA_ROOT = str(BASE / "media")
EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
EMAIL_FILE_PATH = str(BASE / "mail")
OSCAR_SHOP_NAME = "Lantern & Loom"
OSCAR_SHOP_TAGLINE = "Household goods"
OSCAR_DEFAULT_CURRENCY = "EUR"
OSCAR_FROM_EMAIL = "shop@shop.test"
OSCAR_ALLOW_ANON_CHECKOUT = True
OSCAR_INITIAL_ORDER_STATUS = "Pending"
OSCAR_INITIAL_LINE_STATUS = "Pending"
OSCAR_ORDER_STATUS_PIPELINE = {"Pending": ("Being processed", "Cancelled"),
                               "Being processed": ("Complete", "Cancelled"), "Complete": (), "Cancelled": ()}
