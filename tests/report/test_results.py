"""The parser of results.txt: what it reads, and what it refuses in one clear line."""
import pytest

from report.results import ResultsError, parse, read

HEAD = "# cuckoo_sim results, format 1\n\n"
TABLE = """# e9.things  Two things
# seed=7
# A note: with a colon.
# name: what it is
# load: keys / slots
name   load  share
first  0.90  1.5e-03
other  0.95  -

"""


def test_a_table_by_name_and_column():
    table = parse(HEAD + TABLE).table("e9.things")
    assert table.title == "Two things"
    assert table.parameters == {"seed": "7"}
    assert table.notes == ["A note: with a colon."]
    assert table.column_notes == {"name": "what it is", "load": "keys / slots"}
    assert table.columns == ["name", "load", "share"]
    row = table.one(name="first")
    assert (row.text("load"), row.number("share")) == ("0.90", 1.5e-3)
    assert table.one(load="0.95").number("share") is None


def test_filters_find_numbers_however_they_are_written():
    table = parse(HEAD + TABLE).table("e9.things")
    assert table.one(load=0.9)["name"] == "first"
    assert table.where(load="0.9000") == table.where(load="0.90")
    assert table.where(name="0.9") == []


def test_counts_keep_all_their_digits():
    text = HEAD + "# e9.big  Big\n# n: many\nn\n1152921504606846977\n\n"
    assert parse(text).table("e9.big").rows[0].count("n") == 1152921504606846977


@pytest.mark.parametrize("text, words", [
    ("", "not a results file"),
    ("load 0.9\n", "not a results file"),
    (HEAD.replace("format 1", "format 2") + TABLE, "format 2"),
    (HEAD + TABLE + TABLE, "twice"),
    (HEAD + TABLE.replace("0.95  -", "0.95"), "2 values, 3 columns"),
    (HEAD + TABLE.replace("load  share", "load  load"), "names a column twice"),
    (HEAD + "# e9.empty  Nothing\n# note\n\n", "no header line"),
    (HEAD + "name load\na 1\n\n", "starts with"),
])
def test_what_is_refused(text, words):
    with pytest.raises(ResultsError) as caught:
        parse(text)
    assert words in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize("ask, words", [
    (lambda r: r.table("e9.nothing"), "no table 'e9.nothing'"),
    (lambda r: r.table("e9.things").one(name="third"), "no rows with name=third"),
    (lambda r: r.table("e9.things").one(), "2 rows"),
    (lambda r: r.table("e9.things").one(size=1), "no column 'size'"),
    (lambda r: r.table("e9.things").rows[0].number("name"), "'first' is not a number"),
    (lambda r: r.table("e9.things").rows[0].text("size"), "no column 'size'"),
])
def test_asking_for_what_is_not_there(ask, words):
    with pytest.raises(ResultsError) as caught:
        ask(parse(HEAD + TABLE))
    assert words in str(caught.value)


def test_a_missing_file_is_one_line(tmp_path):
    with pytest.raises(ResultsError, match="No such file"):
        read(tmp_path / "none.txt")


def test_the_committed_results(results):
    assert {name.split(".")[0] for name in results.tables} >= {f"e{n}" for n in range(1, 8)}
    for table in results.tables.values():
        assert set(table.column_notes) == set(table.columns), table.name
        assert table.rows, table.name
