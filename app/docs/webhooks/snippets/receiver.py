# python3 receiver.py [port] [key file]: receives events on http://localhost:4242/hook and verifies each of them.
# Needs: pip install cryptography. The key is the webhook's publicKey, in trilho-key.pem.
import base64
import json
import os
import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.serialization import load_pem_public_key

PORT = int(sys.argv[1]) if len(sys.argv) > 1 else 4242
KEY_FILE = sys.argv[2] if len(sys.argv) > 2 else "trilho-key.pem"
if not os.path.exists(KEY_FILE):
    sys.exit(f"{KEY_FILE} is not there: trilho listen --write-key {KEY_FILE} writes it, as soon as it says Ready.")
# While a key is rotated, load the previous one as well.
with open(KEY_FILE, "rb") as file:
    KEYS = [load_pem_public_key(file.read())]
FIVE_MINUTES = 300


def is_from_trilho(headers, body: bytes) -> bool:
    """body is what arrived, not an object that was parsed and written again."""
    event_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > FIVE_MINUTES:
        return False
    signed = f"{event_id}.{timestamp}.".encode() + body
    for signature in headers.get("webhook-signature", "").split(" "):
        version, _, value = signature.partition(",")
        if version != "v1a":
            continue
        for key in KEYS:
            try:
                key.verify(base64.b64decode(value), signed)
                return True
            except (InvalidSignature, ValueError):
                pass
    return False


seen = set()  # In your database: an event may arrive twice, with the same id.


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if not is_from_trilho(self.headers, body):
            self.send_response(401)
            self.end_headers()
            return
        event = json.loads(body)
        if event["id"] not in seen:
            seen.add(event["id"])
            data = event["data"]
            print("verified", f"{event['object']}.{event['event']}", data.get("id", ""), data.get("status", ""), flush=True)
        self.send_response(204)  # Answer first, work later: there are 15 seconds.
        self.end_headers()

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = HTTPServer(("127.0.0.1", PORT), Receiver)
    print("waiting for events", flush=True)
    server.serve_forever()
