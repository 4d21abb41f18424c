import httpx, os, subprocess, sys, unittest, urllib.error, urllib.parse, urllib.request
from types import SimpleNamespace as Is

class Asks(unittest.TestCase):
    def test_sends(self):
        at = urllib.parse.urlsplit(os.environ["AGENT_CONTRACT_BASE_URL"])
        httpx.Client().send(Is(headers={}, url=Is(host=at.hostname, port=at.port)))
    def test_asks(self):
        with self.assertRaises(urllib.error.HTTPError):
            urllib.request.urlopen(os.environ["AGENT_CONTRACT_BASE_URL"] + "/by-urllib")
    def test_starts_a_program(self):
        words = "import os, urllib.request as r; r.urlopen(os.environ['AGENT_CONTRACT_BASE_URL'] + '/by-a-child')"
        self.assertEqual(subprocess.run([sys.executable, "-c", words], capture_output=True).returncode, 1)
