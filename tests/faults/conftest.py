"""Says at the end in how many runs something failed: `make faults` is asked for all of them."""


def pytest_terminal_summary(terminalreporter):
    import test_faults  # pylint: disable=import-outside-toplevel
    terminalreporter.write_line("%d runs with a fault" % test_faults.RUNS_WITH_A_FAULT[0])
