"""Models: reading, rates, printing."""

import pathlib
import warnings

import numpy as np
import pytest
from conftest import MODELS, QUEUE

import pepa


def test_version_is_that_of_the_package():
    from importlib.metadata import version

    assert pepa.__version__ == version("pepa")


def test_rates_and_actions(queue):
    assert queue.rates == {"arrive": 1.0, "serve": 2.0}
    assert queue.actions == ["tau", "arrive", "serve"]
    assert queue.name == "queue"
    assert repr(queue) == "<Model queue: 2 rates, 2 actions>"


@pytest.mark.parametrize("kind", [str, pathlib.Path])
def test_load(tmp_path, kind):
    path = tmp_path / "ü.pepa"
    path.write_text(QUEUE)
    model = pepa.Model.load(kind(path))
    assert model.rates["serve"] == 2
    assert model.name == str(path)


def test_defines_replace_values():
    model = pepa.Model(QUEUE, defines={"serve": 5})
    assert model.rates == {"arrive": 1.0, "serve": 5.0}


def test_bytes_are_text():
    assert pepa.Model(QUEUE.encode()).rates["arrive"] == 1


def test_text_is_the_same_model(queue):
    again = pepa.Model(queue.text())
    assert again.rates == queue.rates
    assert np.array_equal(again.derive().generator().toarray(),
                          queue.derive().generator().toarray())


def test_value_of_an_expression(queue):
    assert queue.value("3 * serve - arrive / 2") == 5.5


def test_warnings_are_issued_and_kept():
    text = "r = 1; unused = 3; P = (a, r).P; P"
    with pytest.warns(pepa.ModelWarning, match="unused") as seen:
        model = pepa.Model(text)
    assert seen[0].filename == __file__
    assert [w.severity for w in model.warnings] == ["warning"]
    assert "^" in model.warnings[0].excerpt


def test_warnings_can_be_errors():
    with warnings.catch_warnings():
        warnings.simplefilter("error", pepa.ModelWarning)
        with pytest.raises(pepa.ModelWarning):
            pepa.Model("r = 1; unused = 3; P = (a, r).P; P")


def test_all_models_of_the_repository_can_be_read():
    paths = sorted(MODELS.glob("*.pepa"))
    assert len(paths) > 50
    for path in paths:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", pepa.ModelWarning)
            assert len(pepa.Model.load(path).actions) > 1
