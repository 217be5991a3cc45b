"""Arguments that are none: the message names which, and nothing is taken for something else."""

import copy
import pickle

import numpy as np
import pytest

import pepa
from pepa import amoget

GRID = """
pipeline   { stage 1; stage 2; stage 3; }
processors { 1 time 0.1; 2 time 0.1; 3 time 1; }
network    { latency default 0.1; latency local 0.1ms; }
"""


@pytest.fixture
def steady(queue):
    return queue.solve()


def test_nothing_after_a_nul_is_cut_off(steady, tmp_path):
    path = tmp_path / "real.pepa"
    path.write_text(steady.chain.model.text())
    chain, model, walk = steady.chain, steady.chain.model, steady.chain.model.walk()
    found, grid = pepa.fit([1.0, 2.0, 3.0]), amoget.Description(GRID)
    for what, ask in {
        "path": lambda: pepa.Model.load(f"{path}\0.backup"),
        "name": lambda: pepa.Model("P = (a, 1).P; P", name="a\0b"),
        "rates": lambda: chain.set_rates({"arrive\0typo": 9}),
        "defines": lambda: pepa.Model("r = 1; P = (a, r).P; P", defines={"r\0": 2}),
        "to_action": lambda: chain.passage(to_action="serve\0"),
        "vary": lambda: chain.experiment("throughput:serve", {"serve\0": [1]}),
        "within": lambda: model.minimise("throughput:serve", {"serve\0": (1, 2)}),
        "state": lambda: walk.go("(One)\0"),
        "component": lambda: model.fluid_individual("Empty\0"),
        "action": lambda: found.text("work\0"),
        "column": lambda: pepa.read_durations("a,b\n1,2\n", column="a\0"),
        "processor": lambda: grid.set_latency("1\0", "2", seconds=1),
        "stage": lambda: grid.set_work("1\0", 1),
        "mapping": lambda: grid.model("1,1,2\0"),
    }.items():
        with pytest.raises(pepa.ArgumentError, match=f"^{what}: .* has a NUL in it"):
            ask()
    with pytest.raises(pepa.ArgumentError, match="^defines: "):
        amoget.Description(GRID, defines={"time.1\0": 2})
    for text in ("throughput:serve\0", "serve\0"):
        with pytest.raises(pepa.ArgumentError, match="control character"):
            steady.measures(text)
    assert chain.rates["arrive"] == 1


@pytest.mark.parametrize("wrong", [None, [None], ["1"], "1", [b"1"], [1, None], np.array([1j]),
                                   np.array(["2020-01-01"], "datetime64[s]")])
def test_what_is_no_number_is_not_taken_for_one(steady, wrong):
    chain, passage = steady.chain, steady.chain.passage(to_states="Two")
    for ask in (lambda: chain.transient(wrong, "throughput:serve"), lambda: passage.cdf(wrong),
                lambda: pepa.fit(wrong)):
        with pytest.raises(TypeError, match="^(times|durations): "):
            ask()
    with pytest.raises(TypeError, match="^serve: "):
        chain.experiment("throughput:serve", {"serve": wrong})


def test_integers_that_do_not_fit(queue):
    walk, found = queue.walk().take(0), pepa.fit([1.0, 2.0, 3.0])
    for what, ask in {
        "steps": lambda: walk.back(-1),
        "step": lambda: walk.take(2**40),
        "number": lambda: walk.jump(2**40),
        "seed": lambda: walk.run(seed=-1),
        "most": lambda: walk.run(most=2**70),
        "runs": lambda: found.test(2**70),
    }.items():
        with pytest.raises(pepa.ArgumentError, match=f"^{what}: "):
            ask()
    with pytest.raises(pepa.ArgumentError, match="^seed: "):
        found.test(9, seed=-1)
    with pytest.raises(TypeError, match="^steps: "):
        walk.back("1")
    assert len(walk) == 1


def test_wrong_kinds(steady):
    chain, grid = steady.chain, amoget.Description(GRID)
    for what, ask in {
        "vary": lambda: chain.experiment("throughput:serve", None),
        "rates": lambda: chain.set_rates(3),
        "defines": lambda: pepa.Model("P = (a, 1).P; P", defines=["r"]),
        "within": lambda: chain.model.minimise("throughput:serve", ["serve"]),
        "measures": lambda: steady.measures([3]),
        "progress": lambda: chain.model.derive(progress=3),
    }.items():
        with pytest.raises(TypeError, match=f"^{what}: "):
            ask()
    for rank in (grid.rank, lambda progress: grid.explain("1,1,2", progress=progress)):
        with pytest.raises(TypeError, match="^progress: "):
            rank(progress=3)
    assert steady.measure(b"throughput:serve") == steady.measure("throughput:serve")
    with pytest.raises(pepa.ArgumentError, match="^there is no measure$"):
        steady.sensitivity([])


def test_passages_that_cannot_be(steady):
    never = steady.chain.passage(to_states="Empty == 5")
    with pytest.raises(pepa.ArgumentError, match="never ends"):
        never.plot()
    assert never.plot([0, 1]).get_lines()[0].get_ydata().tolist() == [0, 0]
    with pytest.raises(pepa.ArgumentError, match="^from_start: .*solve"):
        steady.chain.passage(from_start=False, to_states="Two")
    assert steady.chain.passage(from_start=True, to_states="Two").mean == pytest.approx(4)


def test_memory_of_the_library_is_not_copied(steady):
    chain, grid = steady.chain, amoget.Description(GRID)
    for each in (chain, chain.model, pepa.Measures(chain.model, "throughput:serve"),
                 pepa.Predicate(chain.model, "Two == 1"), chain.passage(to_states="Two"),
                 chain.lump("throughput:serve"), chain.model.walk(), pepa.fit([1.0, 2.0]),
                 grid, grid.rank(top=1)):
        for send in (pickle.dumps, copy.deepcopy):
            with pytest.raises(TypeError, match=f"^a {type(each).__name__} cannot be copied or pickled"):
                send(each)
    assert pickle.loads(pickle.dumps(steady.info)) == steady.info


def test_numbers_of_processors_and_their_names():
    grid = amoget.Description(GRID)
    for mapping in ("1,1,2", ["1", "1", "2"], [0, 0, 1], np.array([0, 0, 1]), (b"1", np.int64(0), "2")):
        assert grid.model(mapping).name == "description (1,1,2)"
    with pytest.raises(pepa.ArgumentError, match="processor number 3: numbers are from 0 to 2"):
        grid.model([1, 1, 3])
    with pytest.raises(TypeError, match="^processor: a name or a number"):
        grid.model([1, 1, 1.0])
    with pytest.raises(pepa.ArgumentError, match="no stage 'x'"):
        grid.work("x")


def test_values_of_rates_are_named():
    text = "r = 1; P = (a, r).Q; Q = (b, 1).P; P"
    with pytest.raises(TypeError, match="^defines: r: "):
        pepa.Model(text, defines={"r": "2"})
    chain = pepa.Model(text).derive()
    with pytest.raises(TypeError, match="^rates: r: "):
        chain.set_rates(r="3")
    for ends in (1, (1,), (1, 2, 3), ("1", 2), None):
        with pytest.raises(TypeError, match="^within: r: two numbers are expected"):
            pepa.Model(text).maximise("throughput:a", {"r": ends})
