"""The cloud API of moto on a free loopback port. Prints its address as one line of JSON, and ends when its stdin does."""

import json
import logging
import sys

from moto.server import ThreadedMotoServer

# A line for every request would bury what tests print.
logging.getLogger("werkzeug").setLevel(logging.ERROR)
server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
host, port = server.get_host_and_port()
print(json.dumps({"address": f"http://{host}:{port}"}), flush=True)
sys.stdin.read()
server.stop()
