"""Fetching named files once, whole and as promised, over lines that break.

failures → answer → transfer → fetch: what went wrong, one request, one place until the file is
whole, all places until there is a right file. The standard library's urllib does the requests:
proxies from the environment, redirects, time-outs and ``file:`` addresses are there, and a client
library would add a dependency without taking over any of what is here (pooch, the usual registry
of files with checksums, begins a broken download anew).
"""

from datasets.fetching.fetch import fetch
from datasets.fetching.patience import Patience

__all__ = ["Patience", "fetch"]
