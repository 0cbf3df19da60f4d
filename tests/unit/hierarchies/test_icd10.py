"""Diagnoses by category, block and chapter: the ranges of ICD-10, and codes as hospitals write them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kanopy.errors import PolicyError
from kanopy.hierarchies import Icd10
from kanopy.hierarchies.icd10 import BLOCKS, CHAPTERS, Span, category_of, groups_of
from kanopy.policy.toml_file import read_policy

# Roman number, first and last category of the chapters, as the World Health Organization has them
WHO = (
    "I A00-B99|II C00-D48|III D50-D89|IV E00-E90|V F00-F99|VI G00-G99|VII H00-H59|VIII H60-H95|IX I00-I99|"
    "X J00-J99|XI K00-K93|XII L00-L99|XIII M00-M99|XIV N00-N99|XV O00-O99|XVI P00-P96|XVII Q00-Q99|"
    "XVIII R00-R99|XIX S00-T98|XXII U00-U99|XX V01-Y98|XXI Z00-Z99"
)


def test_ranges_are_disjoint_and_ordered() -> None:
    for spans in (CHAPTERS, BLOCKS):
        assert all(span.low <= span.high for span in spans)
        assert all(before.high < after.low for before, after in pairwise(spans))
    assert [" ".join(chapter.name.split()[:2]) for chapter in CHAPTERS] == WHO.split("|")
    assert len(BLOCKS) == len({block.name for block in BLOCKS}) > 240


def test_a_block_is_inside_one_chapter_and_every_chapter_is_full() -> None:
    homes: dict[str, list[Span]] = {}
    for block in BLOCKS:
        low, high = groups_of(block.low), groups_of(block.high)
        assert low[1:] == high[1:], block
        assert low[1] == block.name
        homes.setdefault(low[2], []).append(block)
    assert set(homes) == {chapter.name for chapter in CHAPTERS}
    by_name = {chapter.name: chapter for chapter in CHAPTERS}
    for name, blocks in homes.items():  # no chapter begins before its first block; national ones may add some
        assert blocks[0].low <= by_name[name].low
        assert blocks[-1].high >= by_name[name].high or name.startswith(("XXII", "XIX"))


@pytest.mark.parametrize(
    ("code", "category", "block", "chapter"),
    [
        ("E11.9", "E11", "E10-E14", "IV"),
        ("I10.00", "I10", "I10-I15", "IX"),
        ("E11.9-", "E11", "E10-E14", "IV"),
        ("E11.-", "E11", "E10-E14", "IV"),
        ("M54.5!", "M54", "M50-M54", "XIII"),
        ("S72.001A", "S72", "S70-S79", "XIX"),
        ("s72001a", "S72", "S70-S79", "XIX"),
        (" j18.9 G ", "J18", "J09-J18", "X"),
        ("A17.0†", "A17", "A15-A19", "I"),
        ("U07.1", "U07", "U00-U49", "XXII"),
        ("D48.9", "D48", "D37-D48", "II"),
        ("D49.2", "D49", "D49-D49", "II"),
        ("D50.0", "D50", "D50-D53", "III"),
        ("H59.9", "H59", "H55-H59", "VII"),
        ("H60.0", "H60", "H60-H62", "VIII"),
        ("B99", "B99", "B99-B99", "I"),
        ("Y09", "Y09", "X85-Y09", "XX"),
        ("V00.1", "V00", "V00-V00", "XX"),
        ("T98.3", "T98", "T90-T98", "XIX"),
        ("C7A.1", "C7A", "C73-C75", "II"),
        ("M1A.0", "M1A", "M05-M14", "XIII"),
        ("Z3A.20", "Z3A", "Z30-Z39", "XXI"),
        ("E08.9", "E08", "E08-E09", "IV"),
        ("A10.0", "A10", "other A00-B99", "I"),  # no such category, but the chapter is clear
    ],
)
def test_codes(code: str, category: str, block: str, chapter: str) -> None:
    found = groups_of(code)
    assert (found[0], found[1], found[2].split()[0]) == (category, block, chapter)


@pytest.mark.parametrize("text", ["", "E1", "unknown", "11.9", "E11.9 and I10", "EE1", "E111.9", "2024-01"])
def test_other_texts(text: str) -> None:
    assert category_of(text) is None
    assert groups_of(text) == ("other",) * 3


def test_a_hierarchy() -> None:
    codes = ["E10.1", "E11.9", "E11.2", "E66.0", "I10", "I10.00", "unknown", "n/a"]
    tree = Icd10(["category", "block", "chapter"]).build("icd", codes)
    of = dict(zip(tree.leaves, tree.ancestors.T.tolist(), strict=True))
    assert list(dict.fromkeys(tree.node_label[node] for node in of["E11.9"])) == [
        "E11.9", "E11", "E10-E14", "IV E00-E90 hormones, nutrition, metabolism", "*",
    ]  # fmt: skip
    assert tree.node_label[of["I10"][1]] == "I10*", "a group must not be called like a value"
    assert tree.node_label[of["n/a"][1]] == "other"


def test_in_a_policy() -> None:
    text = 'quasi_identifiers = ["icd"]\n[privacy]\nk = 2\n[hierarchies]\nicd = { icd10 = %s }\n'
    assert read_policy((text % '["block", "chapter"]').encode()).hierarchies == {
        "icd": Icd10(["block", "chapter"])
    }
    for wrong, what in (('["chapter", "block"]', "fine to coarse"), ('"chaptr"', "some of"), ("[]", "fine")):
        with pytest.raises(PolicyError, match=what):
            read_policy((text % wrong).encode())


@given(
    st.lists(st.from_regex(r"[A-Za-z][0-9][0-9AB](\.[0-9]{1,2})?", fullmatch=True), min_size=1, unique=True)
)
def test_any_codes_make_a_tree(codes: list[str]) -> None:
    tree = Icd10(["category", "block", "chapter"]).build("icd", codes)
    assert set(tree.leaves) == set(codes)
