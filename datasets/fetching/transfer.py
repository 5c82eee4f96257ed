"""Bringing one file from one place until it is whole, however often the line breaks.

What has arrived is continued, also from another place and by another process, only where a
checksum will judge the whole: a file without one always comes in one answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain

from datasets.disk.files import naming
from datasets.disk.foreign import foreign_kind
from datasets.disk.space import lack_of_space
from datasets.errors import FetchError
from datasets.fetching.answer import Answer, ask
from datasets.fetching.failures import LineError, PlaceError, StaleError
from datasets.fetching.part import Origin, Part
from datasets.fetching.patience import Patience, Retries
from datasets.fetching.sources import Source

ByteProgress = Callable[[int, int], None]
"""Called with (bytes arrived, bytes in all or 0 where nobody told)."""


@dataclass(frozen=True)
class Transfer:
    """Fills ``part`` with the bytes of ``source``."""

    source: Source
    part: Part
    patience: Patience
    progress: ByteProgress

    def complete(self, url: str) -> bool:
        """Make the part whole from ``url``; whether all of it came in one answer.

        Raises PlaceError where the place won't give it, FetchError where there is no room.
        """
        retries = Retries(self.patience, self.part.size_bytes)
        while True:
            try:
                return self._receive(url)
            except LineError as error:
                retries.failed(self.part.size_bytes)
                if isinstance(error, StaleError):
                    self.part.clear()
                if retries.exhausted:
                    raise PlaceError(f"{error}, {retries.failures} times") from error
                retries.pause(error.least_pause_s)

    def _receive(self, url: str) -> bool:
        continued = self.source.checksum is not None
        if continued and self.part.is_whole:
            return False
        origin = self.part.origin
        offset = self.part.size_bytes if continued else 0
        validator = origin.validator if origin and origin.url == url else None
        with ask(url, offset, validator, self.patience.silence_s) as answer:
            blocks = self._open(url, answer)
            total_bytes = self.source.size_bytes or answer.total_bytes
            self._require_space(total_bytes)
            self._write(blocks, total_bytes)
        return answer.start == 0

    def _open(self, url: str, answer: Answer) -> Iterator[bytes]:
        """The blocks of an answer that may be the file, with the part ready for them."""
        blocks = answer.blocks()
        head = next(blocks)
        origin = Origin(url, answer.validator, answer.total_bytes)
        if answer.start:
            self._require_same_size(answer.total_bytes)
            self.part.go_on(origin)
        else:
            self._refuse_foreign(head)
            self._require_promised_size(answer.total_bytes)
            self.part.begin(origin)
        return chain([head], blocks)

    def _refuse_foreign(self, head: bytes) -> None:
        kind = foreign_kind(head, self.source.file)
        if kind is not None:
            raise PlaceError(f"gave {kind.found} in place of {self.source.file}")

    def _require_promised_size(self, total_bytes: int | None) -> None:
        promised = self.source.size_bytes
        if promised is not None and total_bytes not in (promised, None):
            raise PlaceError(f"has {total_bytes:,} bytes where {promised:,} were promised")

    def _require_same_size(self, total_bytes: int | None) -> None:
        origin = self.part.origin
        known = (origin.total_bytes if origin else None) or self.source.size_bytes
        if known is not None and total_bytes not in (known, None):
            raise StaleError(f"has {total_bytes:,} bytes where it, or another place, had {known:,}")

    def _require_space(self, total_bytes: int | None) -> None:
        expected = total_bytes or self.source.about_bytes or 0
        lack = lack_of_space(self.part.path.parent, expected - self.part.size_bytes)
        if lack:
            raise FetchError(f"{self.source.file} {lack}.")

    def _write(self, blocks: Iterator[bytes], total_bytes: int | None) -> None:
        arrived = self.part.size_bytes
        with self.part.appending() as file:
            for block in blocks:
                arrived += len(block)
                if total_bytes is not None and arrived > total_bytes:
                    raise PlaceError(f"sent more than the {total_bytes:,} bytes there should be")
                with naming(self.part.path):
                    file.write(block)
                self.progress(arrived, total_bytes or 0)
        if not arrived:
            raise LineError("sent nothing")
        if total_bytes is not None and arrived < total_bytes:
            raise LineError(f"broke off after {arrived:,} of {total_bytes:,} bytes")
