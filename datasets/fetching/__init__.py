"""Fetching named files once, whole and as promised, over lines that break.

sources says what is published where, with its checksum. failures → answer → transfer (part) → fetch
(patience, kept): what went wrong, one request, one place until the file is whole, all places until
there is a right file. wheel (pip_download) does the same for files that only a wheel holds.

The standard library's urllib does the requests: proxies from the environment, redirects, time-outs
and ``file:`` addresses are there, and a client library would add a dependency without taking over
any of what is here (pooch, the usual registry of files with checksums, begins a broken download
anew).
"""
