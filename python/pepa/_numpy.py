"""NumPy, imported when it is first used: to read a model, check it or walk takes none of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
else:
    class _WhenUsed:
        """Has what the module has; what was asked for once is found at once."""

        def __getattr__(self, name: str) -> Any:
            import numpy

            value = getattr(numpy, name)
            self.__dict__[name] = value
            return value

    np = _WhenUsed()
