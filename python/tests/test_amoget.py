"""Rankings against closed forms, against the PEPA models of mappings, and against listing all."""

import itertools
import pathlib
import threading

import numpy as np
import pytest
from conftest import MODELS

import pepa
from pepa import amoget

EXAMPLES = pathlib.Path(MODELS).parent / "examples"

GRID = """
pipeline   { stage 1; stage 2; stage 3; }
processors { 1 time 0.1; 2 time 0.1; 3 time 1; }
network    { latency default 0.1; latency local 0.1ms; }
"""


def test_names_and_numbers():
    grid = amoget.Description(GRID, name="grid.amo")
    assert grid.stages == ["1", "2", "3"] and grid.processors == ["1", "2", "3"]
    assert (grid.time("3"), grid.availability(0), grid.cores("1"), grid.work("2")) == (1, 1, 1, 1)
    assert grid.latency("1", "2") == 0.1 and grid.latency("local") == 0.0001
    assert grid.latency("1", "1") == 0.0001 and grid.bandwidth("default") == np.inf
    assert grid.output("1") == 0 and grid.output(None) == 0 and grid.mappings == []
    assert repr(grid) == "<Description grid.amo: 3 stages on 3 processors>"


def throughput_by_model(grid, mapping):
    return grid.model(mapping).solve(tolerance=1e-13).throughputs["process1"]


def test_all_mappings_agree_with_their_models():
    grid = amoget.Description(GRID)
    ranking = grid.rank(search="all")
    assert len(ranking) == ranking.candidates == 27 and ranking.optimal
    assert sorted(e.mapping for e in ranking) == sorted(itertools.product("123", repeat=3))
    for entry in ranking[::5]:
        assert entry.throughput == pytest.approx(throughput_by_model(grid, entry.mapping),
                                                 rel=1e-9)
    assert list(ranking.throughputs) == [e.throughput for e in ranking]
    assert np.all(np.diff(ranking.throughputs) <= 1e-9)  # ties are equal to 9 digits
    assert not ranking.throughputs.flags.owndata
    assert [e.rank for e in ranking[:5]] == [1, 1, 1, 1, 5] and ranking[0].tied
    assert ranking[-1] == ranking[26]
    with pytest.raises(IndexError):
        ranking[27]


def test_one_stage_by_hand():
    """Move in, process, move out, one after the other: the sum of the times per item."""
    grid = amoget.Description()
    grid.add_stage("only")
    grid.add_processor("p", 0.25)
    grid.set_latency("local", seconds=0.125)
    grid.set_work("only", 2)
    assert dict(grid.durations(["p"])) == {"move 1": 0.125, "process 1": 0.5, "move 2": 0.125}
    best = grid.rank()[0]
    assert best.mapping == ("p",) and best.throughput == pytest.approx(1 / 0.75, rel=1e-9)
    explained = grid.explain(["p"])
    assert explained.bottleneck.kind == "processor"
    assert explained.bottleneck.share == pytest.approx(2 / 3, rel=1e-8)
    assert explained.bottleneck.doubled == pytest.approx(2.0, rel=1e-8)
    assert sum(a.share for a in explained.activities) == pytest.approx(1)


def test_best_is_the_best_of_all():
    grid = amoget.Description(GRID)
    best = grid.rank(search="best")
    assert best.search == "best" and best.optimal and len(best) == 1
    assert best[0].throughput == pytest.approx(grid.rank(search="all")[0].throughput, rel=1e-9)
    assert best.bound >= best[0].throughput * (1 - 1e-9)


def test_rankings_follow_the_numbers():
    grid = amoget.Description(GRID)
    before = grid.rank(top=1)[0].throughput
    for name in ("1", "2"):
        grid.set_time(name, 0.05)
    again = grid.rank(top=1)
    assert again[0].throughput > before
    assert again[0].throughput == pytest.approx(throughput_by_model(grid, again[0].mapping),
                                                rel=1e-9)
    grid.set_availability("1", 0.5)
    grid.set_latency("1", "2", seconds=5)
    grid.set_cores("3", 4)
    grid.set_bandwidth("default", bytes_per_second=1e6)
    grid.set_output("1", 1000)
    grid.set_ends("1", "1")
    assert (grid.availability("1"), grid.latency("2", "1"), grid.cores(2)) == (0.5, 5, 4)
    last = grid.rank(top=1)[0]
    assert last.throughput == pytest.approx(throughput_by_model(grid, last.mapping), rel=1e-9)
    grid.add_processor("4", 0.001)
    assert "4" in grid.rank(top=1)[0].mapping


def test_kinds_of_pipelines():
    grid = amoget.Description(GRID)
    static = grid.rank(search="all")
    grid.set_sharing("serial")
    grid.set_transfer("buffered")
    grid.set_phases("1", 2)
    other = grid.rank(search="all")
    assert other[0].throughput > static[0].throughput
    assert other[0].throughput == pytest.approx(throughput_by_model(grid, other[0].mapping),
                                                rel=1e-8)
    assert list(grid.durations("1,2,3"))[-2:] == ["take 2", "take 3"]
    with pytest.raises(ValueError, match="static, serial"):
        grid.set_sharing("none")


def test_files_includes_and_measurements():
    with pytest.warns(pepa.ModelWarning, match="old|ago|measured"):
        grid = amoget.Description.load(EXAMPLES / "monitored.amo", now=1.7e9)
    assert grid.latency("1", "3") == 0.12 and grid.availability("3") == 0.31
    assert len(grid.mappings) == 8 and grid.mappings[1] == ("1", "1", "2")
    assert grid.rank().search == "listed"
    grid.measure("time,what,from,to,value\n1700000000,availability,3,,0.5\n")
    assert grid.availability("3") == 0.5
    defined = amoget.Description(GRID, defines={"time.3": "50ms"})
    assert defined.time("3") == 0.05


def test_table_of_the_paper():
    """Benoit et al. 2004, first set: 5.63467 items per second on three processors."""
    grid = amoget.Description.load(EXAMPLES / "pipeline3.amo")
    ranking = grid.rank()
    assert ranking[0].mapping == ("1", "2", "3")
    assert ranking[0].throughput == pytest.approx(5.63467, abs=5e-6)


def test_mistakes(tmp_path):
    with pytest.raises(pepa.ModelSyntaxError) as caught:
        amoget.Description("pipeline { stage 1 stage 2; }", name="x.amo")
    assert (caught.value.file, caught.value.line) == ("x.amo", 1) and "^" in str(caught.value)
    grid = amoget.Description(GRID)
    for ask in (lambda: grid.time("9"), lambda: grid.work("9"), lambda: grid.time(7),
                lambda: grid.latency("1"), lambda: grid.model(["1"]), lambda: grid.model("1,1"),
                lambda: grid.explain(["1", "1", "9"]), lambda: grid.set_time("1", -1.0),
                lambda: grid.rank(search="listed"), lambda: grid.rank(tolerance=2.0)):
        with pytest.raises(pepa.ArgumentError):
            ask()
    with pytest.raises(ValueError, match="search"):
        grid.rank(search="fast")
    with pytest.raises(pepa.LimitError):
        grid.rank(max_states=5)
    with pytest.raises(pepa.ModelError):
        amoget.Description().rank()
    (tmp_path / "a.amo").write_text('include "none.csv";' + GRID)
    with pytest.raises(pepa.FileError, match="none.csv"):
        amoget.Description.load(tmp_path / "a.amo")


def test_exceptions_of_an_include_are_raised():
    def include(name):
        raise LookupError(name)

    with pytest.raises(LookupError, match="m.csv"):
        amoget.Description('include "m.csv";' + GRID, include=include)


def test_progress_can_cancel():
    """The first report comes while some million mappings are listed."""
    text = ("pipeline { " + "".join(f"stage s{i} work {i + 1};" for i in range(8)) + "}"
            "processors { " + "".join(f"p{i} time {0.1 + i / 37};" for i in range(6)) + "}"
            "network { latency default 0.1; latency local 0.01; }")
    grid = amoget.Description(text)
    seen = []

    def progress(now):
        seen.append(now)
        return True

    with pytest.raises(pepa.CancelledError):
        grid.rank(search="all", top=1, progress=progress)
    assert len(seen) == 1 and seen[0].candidates == 6**8


def test_changes_during_a_ranking_are_refused():
    grid = amoget.Description(GRID)
    with grid._guard.reading():
        with pytest.raises(pepa.ArgumentError, match="in use"):
            grid.set_time("1", 2)
        with pytest.raises(pepa.ArgumentError, match="in use"):
            grid.add_stage("4")
    grid.set_time("1", 2)


def test_threads_rank_one_description():
    grid = amoget.Description(GRID)
    expected, found = list(grid.rank(search="all").throughputs), []
    threads = [threading.Thread(target=lambda: found.append(
        list(grid.rank(search="all", threads=1).throughputs))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4


def test_answers_outlive_the_description():
    ranking = amoget.Description(GRID).rank(search="all")
    throughputs = ranking.throughputs
    explained = amoget.Description(GRID).explain("1,1,2")
    assert ranking[3].throughput == throughputs[3]
    del ranking
    assert throughputs[0] == pytest.approx(2.599144062, rel=1e-9)
    assert explained.throughput == pytest.approx(throughputs[0], rel=1e-9)


def test_frames_and_plots():
    grid = amoget.Description(GRID)
    ranking, explained = grid.rank(top=3), grid.explain("1,1,2")
    assert ranking.to_frame()["throughput"].tolist() == list(ranking.throughputs)
    assert "<td>1=</td><td>1,1,2</td>" in ranking._repr_html_()
    assert len(ranking.plot().patches) == 3
    assert list(explained.to_frame().columns) == ["activity", "seconds", "share", "resource"]
    assert len(explained.plot().patches) == len(explained.resources)
    assert "processor 1" in explained._repr_html_()
