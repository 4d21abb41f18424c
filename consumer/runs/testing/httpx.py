# Stands for the client of that name: it sends the headers of a request without http.client.

import socket

class Client:
    def send(self, request):
        lines = ["GET /by-httpx HTTP/1.0", *map(": ".join, request.headers.items()), "", ""]
        with socket.create_connection((request.url.host, request.url.port)) as to:
            to.sendall("\r\n".join(lines).encode())
            while to.recv(4096): pass

class AsyncClient(Client):
    pass
