# Says in every request of http.client which test of pytest or unittest runs: urllib, requests and the like ask through that.
# Python loads it at its start, also in programs that tests start, and then what it hides. It writes the results of unittest.

import atexit, http.client, importlib.machinery, importlib.util, json, os, sys

_end = http.client.HTTPConnection.endheaders

def _tell(self, *args, **named):
    place = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]
    header = os.environ.get("AGENT_CONTRACT_CLIENT_HEADER")
    if place and header and os.environ.get("AGENT_CONTRACT_BASE_URL", "").startswith("http://%s:%s" % (self.host, self.port)):
        file, _, test = place.partition("::")
        told = {"test": test.replace("::", " "), "file": os.path.abspath(file) if os.path.exists(file) else ""}
        self.putheader(header, json.dumps(told))
    return _end(self, *args, **named)
http.client.HTTPConnection.endheaders = _tell

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
