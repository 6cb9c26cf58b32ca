"""Loops that are called one behind the other and share data, so that two of them
may become one.

They keep the rules of fusion (docs/spec.md), or all but one of them.
"""

#: Types whose loops have the same number of lanes.
FAMILIES = [["double"]] * 4 + [["float"]] * 2 + [
    ["float", "int"], ["int"], ["double", "ll", "ushort"]]

#: What a group may break: F2, F3, F5, F6; "lanes" (F6, too): types of any kind,
#: and more in kernels.
RULES = ["plain", "dats", "globals", "adds", "lanes"]


class Neighbours:
    """What the loops of a group have done so far, and what the next one may do.
    Their dats are new ones."""

    def __init__(self, program):
        self.random = pick = program.pair_random
        self.broken = pick.choice(RULES) if pick.random() < 0.2 else None
        self.types = pick.choice([family for family in FAMILIES
                                  if set(family) <= set(program.types)])
        # Of several blocks, if there are such sets.
        some = [pick.choice(program.maps).source for _ in range(3)]
        self.set = max(some, key=program.sets.get)
        self.over = self.set
        if self.set in program.subsets and pick.random() < 0.15:
            self.over = program.subsets[self.set]
        targets = [m.target for m in program.maps if m.source == self.set]
        sets = [self.set] * 2 + [pick.choice(targets) for _ in targets[:2]]
        others = pick.sample(program.dats, 2) if self.is_free("lanes") else []
        self.dats = others + [program.make_dat(program.new_name("n"), name, self.types)
                              for name in sets]
        #: One adds through maps, and those around change rows of their own.
        self.adder = pick.choice([None, 0, 1])
        self.count = 0
        #: How rows of dats were read: the same ones again are one argument.
        self.places = {}
        self.used, self.changed, self.through = set(), set(), set()  # dats
        self.variables, self.reduced = set(), set()
        self.adds = self.has_least = False

    def is_free(self, rule):
        return self.broken == rule

    def limit(self, dat, uses, maps):
        """What may be done with a dat, and the maps that may lead to it."""
        kept = set(uses)
        if not self.is_free("dats") and dat in self.used:
            kept &= {"read", "direct"}
            if dat in self.through:
                kept -= {"direct", "read"} if dat in self.changed else {"direct"}
            elif dat in self.changed:
                maps = []
        if self.count == self.adder:
            kept = kept & {"inc"} if dat.set != self.set else kept - {"direct"}
        elif self.adder is not None:
            kept -= {"inc"}
        if not self.is_free("adds") and (self.adds or self.has_least):
            kept -= {"inc", "rw", "least"}
        return [use for use in uses if use in kept], maps

    def may_have(self, variable, access):
        return self.is_free("globals") or not (
            variable in self.reduced or
            access != "OP_READ" and variable in self.variables)

    def may_have_least(self):
        """Whether a global with a minimum or maximum."""
        return self.is_free("adds") or not self.adds

    def pick_place(self, dat, maps):
        """How a dat was read before, or None."""
        places = [place for place in self.places.get(dat, [])
                  if maps or place[2] == "OP_ID"]
        return self.random.choice(places) if places and \
            self.random.random() < 0.7 else None

    def add(self, loop):
        """The next one is complete."""
        self.count += 1
        self.used |= set(loop.dats)
        self.changed |= set(loop.changed)
        self.through |= set(loop.through)
        self.variables |= set(loop.variables)
        self.reduced |= set(loop.variables) - set(loop.given)
        self.adds |= loop.adds
        self.has_least |= loop.has_least
