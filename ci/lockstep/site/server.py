"""Serves a built site as a public host would: compressed, and with its 404 page for unknown addresses."""

import contextlib
import functools
import gzip
import mimetypes
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

COMPRESSED = ("text/", "application/javascript", "application/json", "image/svg+xml", "application/wasm")


@functools.cache
def _gzipped(path: Path, changed: float) -> bytes:
    return gzip.compress(path.read_bytes(), 6, mtime=0)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    folder: Path

    def do_GET(self) -> None:
        path = self.folder / unquote(urlsplit(self.path).path).lstrip("/")
        if path.is_dir():
            path = path / "index.html"
        status = 200
        if not path.is_file():
            path, status = self.folder / "404.html", 404
        kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        body = path.read_bytes() if path.is_file() else b"not found"
        self.send_response(status)
        if kind.startswith(COMPRESSED) and path.is_file() and "gzip" in self.headers.get("Accept-Encoding", ""):
            body = _gzipped(path, path.stat().st_mtime)
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Type", f"{kind}; charset=utf-8" if kind.startswith("text/") else kind)
        self.send_header("Cache-Control", "max-age=600")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@contextlib.contextmanager
def serve(folder: Path) -> Iterator[str]:
    """The address of `folder`, with a slash at its end, for as long as the block runs."""
    handler = type("SiteHandler", (Handler,), {"folder": folder.resolve()})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
