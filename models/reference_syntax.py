"""The syntax of models for reference.py: text to terms.

Terms are ('prefix', action, rate, P), ('choice', P, Q), ('name', X), ('coop', P, Q, L),
('hide', P, L), ('copies', P, count, L); L is None for <*>.
"""
import re
from decimal import Decimal
from fractions import Fraction

TOKEN = re.compile(r'''\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)
    |(?P<name>[A-Za-z_][\w']*|"[^"]*")|(?P<mark>:=|\|\||&&|[<>=!]=|[-+*/(),.;=<>{}\[\]!]))''', re.X)


class Parser:
    def __init__(self, text):
        text = re.sub(r'(?m)^%(\s*[a-z]\w*\s*=[^;\n]*;)', r'\1', text)      # Workbench rate lines
        text = re.sub(r'//.*|%.*|(?s:/\*.*?\*/)', '', text).replace('#', '').rstrip()
        self.tokens, at = [], 0
        while at < len(text):
            match = TOKEN.match(text, at)
            if not match:
                raise SyntaxError('near ' + repr(text[at:at + 20]))
            self.tokens.append((match.lastgroup, match[match.lastgroup].strip('"')))
            at = match.end()
        self.tokens += [('end', '')] * 3
        self.at, self.rates, self.processes, self.system = 0, {}, {}, None

    def peek(self, ahead=0):
        return self.tokens[self.at + ahead][1]

    def take(self, *expected):
        value = self.peek()
        if expected and value not in expected:
            raise SyntaxError('%r where %r stands' % (expected, value))
        self.at += 1
        return value

    def model(self):
        while self.tokens[self.at][0] != 'end':
            if self.peek(1) in ('=', ':='):
                name = self.take()
                self.take()
                if name[0].islower():
                    self.rates[name] = self.rate()
                else:
                    self.processes[name] = self.component()
            else:
                self.system = self.component()
            if self.peek() == ';':
                self.take()
        return self

    def component(self):
        left = self.choice()
        while self.peek() in ('<', '||'):
            if self.take() == '||':
                actions = frozenset()
            elif self.peek() == '*':
                actions = None
                self.take(), self.take('>')
            else:
                actions = self.actions('>')
            left = ('coop', left, self.choice(), actions)
        return left

    def actions(self, close):
        found = set()
        while self.peek() != close:
            found.add(self.take())
            if self.peek() == ',':
                self.take()
        self.take(close)
        return frozenset(found)

    def choice(self):
        left = self.prefix()
        while self.peek() == '+':
            self.take()
            left = ('choice', left, self.prefix())
        return left

    def prefix(self):
        if self.peek() == '(' and self.peek(2) == ',':
            self.take('(')
            action = self.take()
            self.take(',')
            rate = self.rate()
            self.take(')'), self.take('.')
            return ('prefix', action, rate, self.prefix())
        if self.peek() == '(':
            self.take('(')
            term = self.component()
            self.take(')')
        else:
            term = ('name', self.take())
        while self.peek() in ('/', '['):
            if self.take() == '/':
                term = ('hide', term, self.actions({'{': '}', '<': '>'}[self.take('{', '<')]))
            else:
                count, actions = self.rate(), frozenset()
                if self.take(',', ']') == ',':
                    self.take('{')
                    actions = self.actions('}')
                    self.take(']')
                elif self.peek() in ('{', '['):
                    actions = self.actions({'{': '}', '[': ']'}[self.take()])
                term = ('copies', term, count, actions)
        return term

    def rate(self):
        if self.peek() != 'if' or self.peek(1) == ',':
            return self.expression()
        self.take('if')
        condition = self.condition()
        self.take('then')
        yes = self.rate()
        self.take('else')
        return ('if', condition, yes, self.rate())

    def condition(self):
        return self.infix(('||',), lambda: self.infix(('&&',), self.negation))

    def negation(self):
        if self.peek() == '!':
            self.take()
            return ('!', self.negation())
        before = self.at
        try:
            left = self.expression()
            return (self.take('<', '<=', '>', '>=', '==', '!='), left, self.expression())
        except SyntaxError:
            self.at = before
        self.take('(')
        condition = self.condition()
        self.take(')')
        return condition

    def expression(self):
        return self.infix('+-', lambda: self.infix('*/', self.factor))

    def infix(self, operators, operand):
        left = operand()
        while self.peek() and self.peek() in operators:
            left = (self.take(), left, operand())
        return left

    def factor(self):
        kind, value = self.tokens[self.at][0], self.take()
        if value == '(':
            inner = self.rate()
            self.take(')')
            return inner
        if value == '-':
            return ('-', ('number', Fraction(0)), self.factor())
        if kind == 'number':
            return ('number', Fraction(Decimal(value)))
        if value in ('T', 'infty', '_'):
            return ('passive',)
        if self.peek() == '(':
            self.take('(')
            arguments = [self.rate()]
            while self.take(',', ')') == ',':
                arguments.append(self.rate())
            return ('call', value) + tuple(arguments)
        return ('rate', value) if value[0].islower() else ('population', value)
