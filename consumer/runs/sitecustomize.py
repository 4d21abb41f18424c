# Says in every request of http.client, httpx and aiohttp which test of pytest or unittest runs: urllib, requests and the like
# ask through the first. Python loads it at its start, also in programs that tests start, and then what it hides. It writes the
# results of unittest.

import atexit, http.client, importlib.machinery, importlib.util, json, os, sys

def _told(origin):
    """The header that names the running test; none for requests that do not go to the mock."""
    place = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]
    header = os.environ.get("AGENT_CONTRACT_CLIENT_HEADER")
    if not (place and header and os.environ.get("AGENT_CONTRACT_BASE_URL", "").startswith(origin)): return {}
    file, _, test = place.partition("::")
    return {header: json.dumps({"test": test.replace("::", " "), "file": os.path.abspath(file) if os.path.exists(file) else ""})}

def _before(owner, method, tell):
    original = getattr(owner, method, None)
    def telling(self, *args, **named):
        tell(self, *args)
        return original(self, *args, **named)
    if original: setattr(owner, method, telling)

def _to_connection(connection, *_):
    for header in _told("http://%s:%s" % (connection.host, connection.port)).items(): connection.putheader(*header)

def _of_httpx(httpx):
    tell = lambda _, request: request.headers.update(_told("http://%s:%s" % (request.url.host, request.url.port)))
    for client in (httpx.Client, httpx.AsyncClient): _before(client, "send", tell)

def _of_aiohttp(aiohttp):
    _before(aiohttp.ClientRequest, "send", lambda self, *_: self.headers.update(_told("http://%s:%s" % (self.url.host, self.url.port))))

_before(http.client.HTTPConnection, "endheaders", _to_connection)
_clients = {"httpx": _of_httpx, "aiohttp": _of_aiohttp}

class _Finder:
    """Changes a client once a program imports it."""
    def find_spec(name, path=None, target=None):
        change = _clients.get(name)
        spec = change and importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec: _before_loaded(spec.loader, change)
        return spec

def _before_loaded(loader, change):
    execute = loader.exec_module
    def loaded(module):
        execute(module)
        change(module)
    loader.exec_module = loaded

sys.meta_path.insert(0, _Finder)

_rest = [place for place in sys.path if os.path.abspath(place) != os.path.dirname(os.path.abspath(__file__))]
_own = importlib.machinery.PathFinder.find_spec("sitecustomize", _rest)
if _own:
    _own.loader.exec_module(importlib.util.module_from_spec(_own))

_results = os.environ.pop("AGENT_CONTRACT_UNITTEST", "")

def _follow(run, cases):
    def follow(self, result=None):
        place, _, name = self.id().rpartition(".")
        file = getattr(sys.modules.get(type(self).__module__), "__file__", None)
        os.environ["PYTEST_CURRENT_TEST"] = "%s::%s::%s (call)" % (file, type(self).__qualname__, name)
        count = lambda: (len(result.failures) + len(result.errors) + len(result.unexpectedSuccesses), len(result.skipped))
        before = count()
        ran = run(self, result)
        # What classes and modules set up belongs to no single test.
        os.environ.pop("PYTEST_CURRENT_TEST")
        ends = [end for end, was, now in zip(("<failure/>", "<skipped/>"), before, count()) if now > was]
        cases.append("<testcase classname=%s name=%s>%s</testcase>" % (quoteattr(place), quoteattr(name), "".join(ends)))
        return ran
    return follow

if _results:
    import unittest
    from xml.sax.saxutils import quoteattr
    _cases = []
    unittest.TestCase.run = _follow(unittest.TestCase.run, _cases)
    atexit.register(lambda: open(_results, "w").write("<testsuites>%s</testsuites>" % "".join(_cases)))
