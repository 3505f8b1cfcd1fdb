"""From the column `ours` of the ledger to our numbers.

    e2.lookups[method=robin-hood,load=0.90,lookup=hit]: value=mean ci=mean_ci fills=fills
    threshold --candidates 3 | threshold[bucket=1]: value=orientability
    stored results/full/big.txt | e6.thresholds[search=walk]: value=median
    REF & REF: value=log2(b.pr_overflow/a.pr_overflow)/6

A reference is a table with filters that leave one row: of results.txt, of what a command of
the program prints, or of a stored file.  Several references are a, b, c and d.  What follows
gives names to columns or to small formulas of them; report/verdicts.py knows what the names
mean.  `sample` takes a column of all rows that the filters leave.
"""

import ast
import math
import operator
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from report.ledger import LedgerError
from report.results import SENSELESS, ResultsError, parse, read

NAMES = {"value", "ci", "fills", "low", "high", "count", "trials", "least", "greatest", "sample"}
_REFERENCE = re.compile(r"(?:(?P<origin>.+) \| )?"
                        r"(?P<table>[a-z][a-z0-9_.]*)\[(?P<filters>[^]]*)\]$")
_OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
              ast.Div: operator.truediv, ast.Pow: lambda a, b: float(a) ** float(b)}
_FUNCTIONS = {"log2": math.log2, "sqrt": math.sqrt, "abs": abs}


class Selector:
    """The parsed column: `references` (origin, table, filters) and `formulas` by name."""

    def __init__(self, text):
        head, colon, tail = text.partition(": ")
        if not colon:
            raise LedgerError(f"'{text}': a selector is REFERENCE: name=column")
        self.references, self.formulas = [], {}
        for part in head.split(" & "):
            found = _REFERENCE.match(part.strip())
            if not found:
                raise LedgerError(f"'{part}' is not a reference to a table")
            filters = dict(item.split("=", 1) for item in found["filters"].split(",") if item)
            self.references.append((found["origin"], found["table"], filters))
        for part in tail.split():
            name, equals, formula = part.partition("=")
            if not equals or name not in NAMES:
                raise LedgerError(f"'{part}': expected one of {' '.join(sorted(NAMES))}")
            self.formulas[name] = formula

    def commands(self):
        """The command lines of the program that this selector needs."""
        return [origin for origin, _, _ in self.references
                if origin and not origin.startswith("stored ")]

    def stored(self):
        """The stored files that this selector reads."""
        return [origin.split(" ", 1)[1] for origin, _, _ in self.references
                if origin and origin.startswith("stored ")]


class Answers:
    """Where numbers come from: results.txt, the program's commands, stored files."""

    def __init__(self, results, program="./cuckoo_sim", root="."):
        self.results, self.program, self.root = results, program, Path(root)
        self.outputs = {}

    def _run(self, command):
        """What a command prints.  The program is run without a shell."""
        try:
            done = subprocess.run([self.program, *command.split()], capture_output=True,
                                  text=True, check=False, cwd=self.root)
        except OSError as problem:
            raise ResultsError(f"{self.program}: {problem.strerror} (build it: make)") from None
        if done.returncode != 0:
            reason = done.stderr.strip().splitlines() or ["no message"]
            raise ResultsError(f"{self.program} {command}: {reason[-1]}")
        return parse(done.stdout, f"{self.program} {command}")

    def prepare(self, commands):
        """Run all commands once, a few at a time; a failure is kept until it is asked for."""
        def attempt(command):
            try:
                return self._run(command)
            except ResultsError as problem:
                return problem
        missing = [c for c in dict.fromkeys(commands) if c not in self.outputs]
        with ThreadPoolExecutor(max_workers=2) as pool:
            self.outputs.update(zip(missing, pool.map(attempt, missing)))

    def _results_of(self, origin):
        if origin is None:
            return self.results
        if origin not in self.outputs:
            if origin.startswith("stored "):
                path = self.root / origin.split(" ", 1)[1]
                if not path.is_file():      # a device may have no end
                    raise ResultsError(f"{path}: no such file")
                self.outputs[origin] = read(path)
            else:
                self.prepare([origin])
        found = self.outputs[origin]
        if isinstance(found, ResultsError):
            raise found
        return found

    def answer(self, selector):
        """Name -> value.  `value` is text where it is a bare column, so that no digit is lost."""
        tables = [(self._results_of(origin).table(table), filters)
                  for origin, table, filters in selector.references]
        if "sample" in selector.formulas:
            table, filters = tables[0]
            rows = table.where(**filters)
            if not rows:
                raise ResultsError(f"table {table.name}: no row is left by {filters}")
            return {"sample": [float(evaluate(selector.formulas["sample"], [row]))
                               for row in rows]}
        rows = [table.one(**filters) for table, filters in tables]
        return {name: evaluate(formula, rows) for name, formula in selector.formulas.items()}


def _value(node, rows):
    """The value of a formula's node; only numbers, columns, + - * / ** and three functions."""
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        return node.value
    if isinstance(node, ast.Name):
        return rows[0].number(node.id)
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return rows["abcd".index(node.value.id)].number(node.attr)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        return _OPERATORS[type(node.op)](_value(node.left, rows), _value(node.right, rows))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand, rows)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) \
            and node.func.id in _FUNCTIONS and len(node.args) == 1:
        return _FUNCTIONS[node.func.id](_value(node.args[0], rows))
    raise LedgerError("a formula holds something else than columns, numbers and + - * / **")


def evaluate(formula, rows):
    """A bare column as its text, a formula as a float."""
    if formula.isidentifier():
        return rows[0].text(formula)
    try:
        return _value(ast.parse(formula, mode="eval").body, rows)
    except (SyntaxError, *SENSELESS) as problem:
        raise LedgerError(f"formula {formula}: {problem}") from None
