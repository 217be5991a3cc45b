#!/usr/bin/env python3
"""A small, naive evaluator of PEPA models, independent of the engine.

    python3 models/reference.py [--no-aggregate] [--summary] MODEL.pepa

prints the facts of an .expect file; --summary leaves out the measures.  Written to be read beside
the literature rather than to be fast:
  - states are terms, and successors follow the rules of Hillston, "A Compositional Approach to
    Performance Modelling" (1996), fig. 3.2 and section 3.3.5 (apparent rates);
  - rates are exact fractions throughout the derivation (exp, log, sqrt go through a double);
  - n copies P[n] are the left-associated cooperation of n terms; counting is nothing but sorting
    them (any order of equal copies is the same state, so the chain is lumped exactly);
  - chains of up to EXACT states are solved in fractions, up to DENSE states in doubles, both by
    the elimination of Grassmann, Taksar and Heyman, "Regenerative analysis and steady state
    distributions for Markov chains" (1985), which never subtracts; larger ones by Gauss-Seidel
    until the flow out of balance is below 1e-15 of all flow and has stopped improving.
Python 3 standard library only.  Error messages are few: the models are known to be sound.
"""
import math
import operator
import re
import sys
from collections import defaultdict
from fractions import Fraction

from reference_syntax import Parser

EXACT, DENSE = 130, 1600
FUNCTIONS = {
    'min': min, 'max': max, 'pow': lambda a, b: Fraction(a ** b),
    'exp': lambda a: Fraction(math.exp(a)), 'log': lambda a: Fraction(math.log(a)),
    'sqrt': lambda a: Fraction(math.sqrt(a)),
}
COMPARISONS = {'<': operator.lt, '<=': operator.le, '>': operator.gt, '>=': operator.ge,
               '==': operator.eq, '!=': operator.ne}


# Terms to moves.  A rate is (passive?, value), so that min() orders rates as Hillston does.

class Model:
    def __init__(self, text, aggregate=True):
        parsed = Parser(text).model()
        self.rates, self.processes, self.aggregate = parsed.rates, parsed.processes, aggregate
        self.functional = "('population'" in repr((parsed.processes, parsed.rates))
        self.cache, self.labels = {}, {}
        for name, body in self.processes.items():
            self.label(body, name, True)
        self.initial = self.static(parsed.system)
        self.components = [copies[0][1] for copies in self.leaves(self.initial)]

    def label(self, term, owner, is_body=False):
        """Anonymous derivatives of a definition D become D_2, D_3, ... in order of appearance."""
        if term[0] in ('prefix', 'choice') and not is_body and term not in self.labels:
            used = sum(1 for each in self.labels.values() if each[0] == owner)
            self.labels[term] = (owner, '%s_%d' % (owner, used + 2))
        if term[0] == 'prefix':
            self.label(term[3], owner)
        elif term[0] == 'choice':
            self.label(term[1], owner, True), self.label(term[2], owner, True)

    def is_static(self, term):
        if term[0] == 'name':
            body = self.processes[term[1]]
            return body[0] not in ('prefix', 'choice') and self.is_static(body)
        return term[0] in ('coop', 'hide', 'copies')

    def static(self, term):
        """The tree above the sequential components, with P[n] as ('copies', (P, ..., P), L)."""
        if term[0] == 'coop':
            left, right, actions = self.static(term[1]), self.static(term[2]), term[3]
            if actions is None:
                actions = frozenset(self.alphabet(left) & self.alphabet(right) - {'tau'})
            return ('coop', left, right, actions)
        if term[0] == 'hide':
            return ('hide', self.static(term[1]), term[2])
        if term[0] == 'copies':
            return ('copies', (self.static(term[1]),) * int(self.value(term[2], None)[1]), term[3])
        return self.static(self.processes[term[1]]) if self.is_static(term) else term

    def alphabet(self, node):
        """The action types that occur in a static tree, without the hidden ones."""
        found, work, seen = set(), [node], set()
        while work:
            term = work.pop()
            if term[0] == 'hide':
                found |= self.alphabet(term[1]) - term[2]
            elif term not in seen:
                found |= {term[1]} if term[0] == 'prefix' else set()
                work += {'prefix': term[3:], 'name': [self.processes.get(term[1])],
                         'copies': term[1][:1]}.get(term[0], term[1:3])
            seen.add(term)
        return found

    def leaves(self, node):
        """One tuple of sequential components for every position of the system equation."""
        if node[0] == 'coop':
            return self.leaves(node[1]) + self.leaves(node[2])
        if node[0] == 'hide':
            return self.leaves(node[1])
        return [node[1]] if node[0] == 'copies' else [(node,)]

    def local(self, leaf):
        return leaf[1] if leaf[0] == 'name' else self.labels[leaf][1]

    def populations(self, state):
        count = defaultdict(int)
        for copies in self.leaves(state):
            for leaf in copies:
                count[self.local(leaf)] += 1
        return count

    def holds(self, condition, count):
        kind, *parts = condition
        if kind == '!':
            return not self.holds(parts[0], count)
        if kind in ('&&', '||'):
            return (all if kind == '&&' else any)(self.holds(part, count) for part in parts)
        return COMPARISONS[kind](*(self.value(part, count)[1] for part in parts))

    def value(self, rate, count):
        kind = rate[0]
        if kind == 'number':
            return (False, rate[1])
        if kind == 'passive':
            return (True, Fraction(1))
        if kind == 'rate':
            return self.value(self.rates[rate[1]], count)
        if kind == 'population':
            return (False, Fraction(count[rate[1]]))
        if kind == 'if':
            return self.value(rate[2 if self.holds(rate[1], count) else 3], count)
        if kind == 'call':
            values = [self.value(each, count)[1] for each in rate[2:]]
            return (False, FUNCTIONS[rate[1]](*values))
        (passive, a), (also, b) = self.value(rate[1], count), self.value(rate[2], count)
        result = a + b if kind == '+' else a - b if kind == '-' else a * b if kind == '*' else a / b
        return (passive or also, result)

    def moves(self, term, count):
        """[(action, rate, term afterwards)], one entry for every activity of the multi-graph."""
        kind = term[0]
        if kind == 'coop':
            return cooperate(self.moves(term[1], count), self.moves(term[2], count), term[3],
                             lambda p, q: ('coop', p or term[1], q or term[2], term[3]))
        if kind == 'hide':
            return [('tau' if action in term[2] else action, rate, ('hide', p, term[2]))
                    for action, rate, p in self.moves(term[1], count)]
        if kind == 'copies':
            found = self.moves_of_copies(term[1], term[2], count)
            order = sorted if self.aggregate else list
            return [(action, rate, ('copies', tuple(order(after)), term[2]))
                    for action, rate, after in found]
        if not self.functional and term in self.cache:
            return self.cache[term]
        if kind == 'prefix':
            rate = self.value(term[2], count)
            found = [(term[1], rate, term[3])] if rate[1] else []
        elif kind == 'choice':
            found = self.moves(term[1], count) + self.moves(term[2], count)
        else:
            found = self.moves(self.processes[term[1]], count)
        self.cache[term] = found
        return found

    def moves_of_copies(self, copies, actions, count):
        last = [(action, rate, (p,)) for action, rate, p in self.moves(copies[-1], count)]
        if len(copies) == 1:
            return last
        first = self.moves_of_copies(copies[:-1], actions, count)
        return cooperate(first, last, actions,
                         lambda p, q: (p or copies[:-1]) + (q or copies[-1:]))

    def explore(self):
        """States in breadth-first order and {(from, action, to): rate}."""
        states, index, arcs = [self.initial], {self.initial: 0}, defaultdict(Fraction)
        for source, state in enumerate(states):
            count = self.populations(state) if self.functional else None
            for action, (passive, rate), after in self.moves(state, count):
                if passive:
                    raise ValueError('passive %s has no partner' % action)
                if after not in index:
                    index[after] = len(states)
                    states.append(after)
                arcs[source, action, index[after]] += rate
        return states, arcs


def apparent(moves, action):
    rates = [rate for each, rate, _ in moves if each == action]
    if len({passive for passive, _ in rates}) > 1:
        raise ValueError('active and passive rates of %s meet' % action)
    return rates and (rates[0][0], sum(value for _, value in rates))


def cooperate(left, right, actions, build):
    found = [(a, r, build(p, None)) for a, r, p in left if a not in actions]
    found += [(a, r, build(None, q)) for a, r, q in right if a not in actions]
    for action in sorted(actions):
        ra, rb = apparent(left, action), apparent(right, action)
        if ra and rb:
            passive, slower = min(ra, rb)
            found += [(action, (passive, r[1] / ra[1] * (s[1] / rb[1]) * slower), build(p, q))
                      for a, r, p in left if a == action for b, s, q in right if b == action]
    return found


# The chain: rows[i] = {j: rate}, i != j.

def reach(rows, start):
    found, work = {start}, [start]
    while work:
        fresh = set(rows[work.pop()]) - found
        found |= fresh
        work += fresh
    return found


def bottom_components(rows):
    """The sets of states that cannot be left: go on to where there is no way back from."""
    back, found, rest = [set() for _ in rows], [], set(range(len(rows)))
    for i, row in enumerate(rows):
        for j in row:
            back[j].add(i)
    while rest:
        state = min(rest)
        while reach(rows, state) - reach(back, state):
            state = min(reach(rows, state) - reach(back, state))
        found.append(sorted(reach(rows, state)))
        rest -= reach(back, state)
    return found


def stationary(rows):
    return eliminate(rows) if len(rows) <= DENSE else gauss_seidel(rows)


def eliminate(rows):
    """Censor states one by one, cheapest first; the balance equations then run backwards."""
    out = [dict(row) for row in rows]
    into = [set() for _ in rows]
    for i, row in enumerate(out):
        for j in row:
            into[j].add(i)
    left, steps = set(range(len(rows))), []
    while len(left) > 1:
        k = min(left, key=lambda i: (len(out[i]) * len(into[i]), -i))
        left.remove(k)
        total = sum(out[k].values())
        entries = {i: out[i].pop(k) / total for i in into[k]}
        for j in out[k]:
            into[j].remove(k)
        for i, share in entries.items():
            for j, rate in out[k].items():
                if i != j:
                    out[i][j] = out[i].get(j, 0) + share * rate
                    into[j].add(i)
        steps.append((k, entries))
    pi = [0] * len(rows)
    pi[left.pop()] = Fraction(1)
    for k, entries in reversed(steps):
        pi[k] = sum(pi[i] * share for i, share in entries.items())
    return [p / sum(pi) for p in pi]


def gauss_seidel(rows):
    into, out = [[] for _ in rows], [sum(row.values()) for row in rows]
    for i, row in enumerate(rows):
        for j, rate in row.items():
            into[j].append((i, rate))
    pi, loss, before, sweeps = [1 / len(rows)] * len(rows), 1.0, math.inf, 0
    while loss > 1e-15 or loss < before / 2:
        for _ in range(50):
            for j, entries in enumerate(into):
                pi[j] = sum(pi[i] * rate for i, rate in entries) / out[j]
        sweeps += 50
        total = sum(pi)
        pi, before = [p / total for p in pi], loss
        loss = sum(abs(math.fsum([pi[i] * rate for i, rate in entries] + [-pi[j] * out[j]]))
                   for j, entries in enumerate(into)) / sum(p * q for p, q in zip(pi, out))
    print('# Gauss-Seidel: %d sweeps, %.1e of the flow out of balance' % (sweeps, loss))
    return pi


def long_run(rows):
    """Long-run distribution from state 0: bottom components weighted by the chance to end there.
    Those chances are stationary when every bottom, shrunk to a state, returns to the start."""
    bottoms = bottom_components(rows)
    home = {i: b for b, members in enumerate(bottoms) for i in members}
    weight = [Fraction(1)]
    if len(bottoms) > 1:
        outside = [i for i in range(len(rows)) if i not in home]
        new = {i: n for n, i in enumerate(outside)}
        new.update({i: len(outside) + b for i, b in home.items()})
        shrunk = [defaultdict(int) for _ in range(len(outside) + len(bottoms))]
        for i in outside:
            for j, rate in rows[i].items():
                shrunk[new[i]][new[j]] += rate
        for b in range(len(bottoms)):
            shrunk[len(outside) + b][0] = Fraction(1)
        weight = stationary(shrunk)[len(outside):]
    pi = [0] * len(rows)
    for share, members in zip(weight, bottoms):
        at = {i: n for n, i in enumerate(members)}
        inside = stationary([{at[j]: r for j, r in rows[i].items()} for i in members])
        for i, p in zip(members, inside):
            pi[i] = share / sum(weight) * p
    return pi


def measures(model, states, arcs):
    rows = [defaultdict(int) for _ in states]
    number = (lambda rate: rate) if len(states) <= EXACT else float
    for (i, _, j), rate in arcs.items():
        if i != j:
            rows[i][j] += number(rate)
    pi = long_run(rows)
    throughput, share, population = defaultdict(int), defaultdict(int), defaultdict(int)
    for (i, action, _), rate in arcs.items():
        throughput[action] += pi[i] * number(rate)
    for p, state in zip(pi, states):
        for position, copies in enumerate(model.leaves(state)):
            for leaf in copies:
                share[position, model.local(leaf)] += p / len(copies)
                population[model.local(leaf)] += p
    return throughput, share, population


def main(arguments):
    with open(arguments[-1], encoding='utf-8') as file:
        model = Model(file.read(), '--no-aggregate' not in arguments)
    states, arcs = model.explore()
    print('states %d\ntransitions %d' % (len(states), len(arcs)))
    if '--summary' in arguments:
        return
    throughput, share, population = measures(model, states, arcs)
    for action in sorted(throughput):
        print('throughput %s %.13g' % (action, throughput[action]))
    for position, local in sorted(share):
        print('utilisation %s %d %s %.13g' % (model.components[position], position + 1, local,
                                               share[position, local]))
    for local in sorted(population):
        print('population %s %.13g' % (local, population[local]))


if __name__ == '__main__':
    sys.setrecursionlimit(10000)
    main(sys.argv[1:])
