"""Serves the shop on a free port of 127.0.0.1 and says where. For every line on standard input it tells all orders of its
database, as JSON on one line: the ledger, which no browser can reach. Ends when standard input does."""
import json, os, sys, threading

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "shop.settings")
import django

django.setup()
from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler
from django.core.wsgi import get_wsgi_application
from django.db import connection
from oscar.apps.order.models import Order


def orders():
    rows = [{"number": order.number, "total": str(order.total_incl_tax), "lines": [line.title for line in order.lines.all()]}
            for order in Order.objects.order_by("id")]
    # What was read must not hide what is written later.
    connection.close()
    return rows


class Quiet(WSGIRequestHandler):
    def log_message(self, *_):
        pass


server = ThreadedWSGIServer(("127.0.0.1", 0), Quiet)
server.set_app(StaticFilesHandler(get_wsgi_application()))
threading.Thread(target=server.serve_forever, daemon=True).start()
print("127.0.0.1:%d" % server.server_port, flush=True)
for _ in sys.stdin:
    print(json.dumps(orders()), flush=True)
os._exit(0)
